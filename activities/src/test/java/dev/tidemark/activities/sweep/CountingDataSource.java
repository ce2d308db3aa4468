package dev.tidemark.activities.sweep;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Writes down each statement that is prepared, and counts transactions that are more than one. */
final class CountingDataSource {
  private final DataSource counted;
  private final List<String> statements = new ArrayList<>();
  private int transactions;

  CountingDataSource(DataSource target) {
    this.counted =
        proxy(
            DataSource.class,
            target,
            (method, args, result) ->
                result instanceof Connection connection
                    ? proxy(Connection.class, connection, this::called)
                    : result);
  }

  DataSource dataSource() {
    return counted;
  }

  List<String> statements() {
    return List.copyOf(statements);
  }

  int transactions() {
    return transactions;
  }

  void forget() {
    statements.clear();
    transactions = 0;
  }

  private Object called(String method, Object[] args, Object result) {
    if (method.equals("prepareStatement")) {
      statements.add(String.valueOf(args[0]));
    } else if (method.equals("commit")) {
      transactions++;
    }
    return result;
  }

  private interface After {
    Object call(String method, Object[] args, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    InvocationHandler handler =
        (self, method, args) -> {
          try {
            return after.call(method.getName(), args, method.invoke(target, args));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
