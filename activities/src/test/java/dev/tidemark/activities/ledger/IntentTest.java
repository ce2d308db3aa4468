package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an intent must outlive a crash of the database by itself (publish protocol, step 2). */
final class IntentTest {
  private static final String NOW = "2026-01-02T00:00:00Z";
  private static final String NO_UPLOADS = "{\"uploads\": []}";

  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final Ledger ledger = new Ledger(database);
  private RegisteredPipeline pipeline;

  @BeforeEach
  void open() {
    pipeline = ledger.ready(Pipelines.daily("intents"), NOW);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void theFirstOfARowIsMadeToLastByItsCommit() throws SQLException {
    assertThat(commitOfIntent(begin(), NO_UPLOADS)).isEqualTo("off");
  }

  // The marker of that commit is removed next: verification must know not to write it back.
  @Test
  void thatOfARowWithACommitLasts() throws SQLException {
    ledger.attempts.commit(begin(), Ledger.NOTHING, null);
    ledger.request(pipeline, "again", true, "2026-01-01");

    assertThat(commitOfIntent(begin(), NO_UPLOADS)).isEqualTo("on");
  }

  // Nothing else tells a later attempt of uploads.
  @Test
  void thatWithUploadsLasts() throws SQLException {
    String uploads = "{\"uploads\": [{\"target\": \"a\", \"upload\": \"1\"}]}";

    assertThat(commitOfIntent(begin(), uploads)).isEqualTo("on");
  }

  private long begin() {
    Claim claim = ledger.claim(pipeline, NOW, 1).get(0);
    return ledger.begin(claim, 1).token();
  }

  /** How its transaction is about to commit. */
  private String commitOfIntent(long token, String intent) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      // Databases of tests wait for no disk.
      connection.createStatement().execute("set local synchronous_commit = on");
      assertThat(new Attempts(open(connection)).intend(token, intent)).isTrue();
      try (ResultSet commits =
          connection.createStatement().executeQuery("show synchronous_commit")) {
        commits.next();
        return commits.getString(1);
      } finally {
        connection.rollback();
      }
    }
  }

  /** Gives this connection, whose transaction stays open. */
  private static DataSource open(Connection connection) {
    Connection kept =
        proxy(
            Connection.class,
            (method, arguments) ->
                method.equals("close") || method.equals("setAutoCommit")
                    ? null
                    : connection.prepareStatement((String) arguments[0]));
    return proxy(DataSource.class, (method, arguments) -> kept);
  }

  /** What a call does, by the method's name. */
  @FunctionalInterface
  private interface Call {
    @Nullable Object make(String method, Object[] arguments) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.make(method.getName(), arguments)));
  }
}
