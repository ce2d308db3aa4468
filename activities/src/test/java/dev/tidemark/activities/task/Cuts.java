package dev.tidemark.activities.task;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a process off between two of its steps, at random: before a step reaches the ledger, or when
 * it is done and the answer is on its way. Publishing asks the ledger before each of its steps, so
 * that it is cut between them too.
 */
final class Cuts {
  /** The process is gone: nothing of Tidemark catches it. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** The tenth attempt that vanishes parks its partition, which then waits for a person. */
  private static final int MOST_OF_ONE = 8;

  private final Random random;
  private final Map<String, Integer> cuts = new HashMap<>();
  private @Nullable String armed;

  Cuts(Random random) {
    this.random = random;
  }

  /** From now on it may cut the work on this partition off; null for nothing. */
  void arm(@Nullable String partition) {
    armed = partition;
  }

  private void maybe() {
    String partition = armed;
    if (partition != null
        && cuts.getOrDefault(partition, 0) < MOST_OF_ONE
        && random.nextInt(16) == 0) {
      cuts.merge(partition, 1, Integer::sum);
      throw new Killed();
    }
  }

  DataSource on(DataSource ledger) {
    return (DataSource)
        Proxy.newProxyInstance(
            Cuts.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> {
              maybe();
              Object result = call(method, ledger, arguments);
              return result instanceof Connection connection ? on(connection) : result;
            });
  }

  private Connection on(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Cuts.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              Object result = call(method, connection, arguments);
              if (method.getName().equals("close")) {
                maybe();
              }
              return result;
            });
  }

  private static Object call(Method method, Object target, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
