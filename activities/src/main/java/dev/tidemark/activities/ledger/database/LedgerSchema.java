package dev.tidemark.activities.ledger.database;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The ledger's schema: Flyway migrations under {@code dev/tidemark/migrations}. */
public final class LedgerSchema {
  static final String NAME = "tidemark";

  /** Of the newest migration on the class path; a test compares it with the files. */
  public static final int NEWEST_VERSION = 14;

  private static final String UNDEFINED_TABLE = "42P01";

  private LedgerSchema() {}

  /** Creates or upgrades the schema; returns how many migrations ran. */
  public static int migrate(DataSource dataSource) {
    return Flyway.configure(LedgerSchema.class.getClassLoader())
        .dataSource(dataSource)
        .schemas(NAME)
        .defaultSchema(NAME)
        .locations("classpath:dev/tidemark/migrations")
        .load()
        .migrate()
        .migrationsExecuted;
  }

  private static final Sql INSTALLED =
      Sql.of(
          """
          select coalesce(max(version::integer), 0) as version
            from tidemark.flyway_schema_history
           where success and version is not null
          """);

  /**
   * Whether the schema is there and up to date; one short query, so that a command starts quickly.
   * A newer one counts too: a later release has upgraded it.
   */
  public static boolean isCurrent(DataSource dataSource) {
    return new Database(dataSource)
        .roundTrip(
            connection -> {
              try {
                return INSTALLED.on(connection).list(row -> row.integer("version")).get(0)
                    >= NEWEST_VERSION;
              } catch (SQLException e) {
                if (UNDEFINED_TABLE.equals(e.getSQLState())) {
                  return false;
                }
                throw e;
              }
            });
  }
}
