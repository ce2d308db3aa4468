package dev.tidemark.activities.ledger.attempt;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Keeps the first who takes a connection waiting, so that others queue behind it. */
final class Gate {
  private final DataSource dataSource;
  private volatile CountDownLatch knocked = new CountDownLatch(1);
  private volatile CountDownLatch opened = new CountDownLatch(0);

  Gate(DataSource behind) {
    this.dataSource =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> enter(behind, method, arguments));
  }

  private @Nullable Object enter(DataSource behind, Method method, Object @Nullable [] arguments)
      throws Throwable {
    knocked.countDown();
    await(opened);
    try {
      return method.invoke(behind, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  DataSource dataSource() {
    return dataSource;
  }

  void close() {
    knocked = new CountDownLatch(1);
    opened = new CountDownLatch(1);
  }

  /** Waits until somebody wants in. */
  void awaitKnock() throws InterruptedException {
    await(knocked);
  }

  void open() {
    opened.countDown();
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("nothing happened at the gate");
    }
  }
}
