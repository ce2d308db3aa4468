package dev.tidemark.worker.embedded;

import io.temporal.client.WorkflowClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A real PostgreSQL and a real Temporal server, started once for all tests of a JVM and ended with
 * it. The database's own settings are hostile: code that depends on them fails.
 */
public final class TestServices {
  private static final Services SERVICES = start();

  private TestServices() {}

  private static Services start() {
    try {
      // Kept from run to run, which also shows that a ledger may be; `mvn clean` takes it away.
      Path folder =
          Files.createDirectories(
              Path.of("target", "test-services", System.getProperty("test.process", "0")));
      Services services =
          Services.open(
              Trial.nothingConfigured(folder),
              ServicesRequest.of(Services.Need.LEDGER_AND_TEMPORAL),
              Trial.surroundings(),
              System.err::println);
      try (Connection connection = services.ledger().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("alter database postgres set timezone to 'Asia/Kathmandu'");
        statement.execute("alter database postgres set datestyle to 'German'");
      }
      return services;
    } catch (Exception e) {
      throw new IllegalStateException("cannot start the services of the tests", e);
    }
  }

  public static WorkflowClient client() {
    return SERVICES.client();
  }

  public static DataSource ledger() {
    return SERVICES.ledger();
  }

  /** JDBC URL with the user in it. */
  public static String ledgerUrl() {
    return SERVICES.ledgerUrl() + "?user=postgres";
  }

  public static String temporalAddress() {
    return SERVICES.temporalAddress();
  }
}
