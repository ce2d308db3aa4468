package dev.tidemark.activities.task;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Counts how often a connection is taken: each operation on the ledger takes one. */
final class CountingDataSource {
  private final AtomicInteger connections = new AtomicInteger();
  private final DataSource dataSource;

  CountingDataSource(DataSource counted) {
    this.dataSource =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> invoke(counted, method, arguments));
  }

  private Object invoke(DataSource counted, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("getConnection")) {
      connections.incrementAndGet();
    }
    try {
      return method.invoke(counted, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  DataSource dataSource() {
    return dataSource;
  }

  int connections() {
    return connections.get();
  }
}
