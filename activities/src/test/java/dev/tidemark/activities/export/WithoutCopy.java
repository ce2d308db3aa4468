package dev.tidemark.activities.export;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A database whose driver knows of no copy, as others than PostgreSQL's do not. */
final class WithoutCopy {
  private WithoutCopy() {}

  static DataSource of(DataSource database) {
    return proxy(
        DataSource.class,
        database,
        result ->
            result instanceof Connection connection
                ? proxy(Connection.class, connection, UnaryOperator.identity())
                : result);
  }

  private static <T> T proxy(Class<T> type, T real, UnaryOperator<Object> change) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              if (method.getName().equals("isWrapperFor")) {
                return false;
              }
              try {
                return change.apply(method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }
}
