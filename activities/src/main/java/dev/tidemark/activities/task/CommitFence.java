package dev.tidemark.activities.task;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/**
 * The fence in a database that a task writes to (A52, A53): its table {@code tidemark_commit} holds
 * a row per partition with the token of the attempt that committed last. An attempt locks that row
 * before it writes and changes it in the same transaction, so that the attempts of one partition
 * come one after another there, and only in the order of their tokens.
 *
 * <p>The row is locked first, not last: of two attempts that both delete and insert, the second
 * would not see what the first has inserted, and leave both.
 */
final class CommitFence {
  private final TaskRun run;

  CommitFence(TaskRun run) {
    this.run = run;
  }

  /**
   * Waits for the partition's other attempts, and keeps them out until the transaction ends.
   *
   * @return how many rows this very attempt has committed already, if it has: its commit went
   *     through and only the answer was lost
   * @throws PassedException if a later attempt has committed
   */
  OptionalLong enter(Connection connection) throws SQLException, PassedException {
    if (!prepare(connection)) {
      create(connection);
      prepare(connection);
    }
    try (PreparedStatement statement = connection.prepareStatement(ENTER)) {
      set(statement, 1);
      run.onEnd(() -> SqlTask.cancel(statement));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long committed = row.getLong("token");
        if (committed > run.token()) {
          throw new PassedException(committed, run);
        }
        return committed == run.token()
            ? OptionalLong.of(row.getLong("written"))
            : OptionalLong.empty();
      } finally {
        run.onEnd(null);
      }
    }
  }

  /**
   * An attempt whose process is suspended within the transaction would keep its successors waiting
   * for ever: the server ends a session that is silent for longer than a lease lasts.
   */
  private static final String PREPARE =
      """
      select to_regclass('tidemark_commit') is not null as present,
             set_config('idle_in_transaction_session_timeout', '60s', true)
      """;

  private static boolean prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(PREPARE)) {
      return row.next() && row.getBoolean("present");
    }
  }

  /** Two first users at once: the second waits, and finds it there. */
  private static final String CREATE =
      """
      select pg_advisory_xact_lock(hashtext('tidemark_commit'));

      create table if not exists tidemark_commit (
        pipeline     text not null,
        slice        text not null,
        partition    text not null,
        token        bigint not null,
        written      bigint not null default 0,
        committed_at timestamptz,
        primary key (pipeline, slice, partition)
      )
      """;

  /** In a transaction of its own, so that nobody waits for the task. */
  private static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CREATE);
    }
    connection.commit();
  }

  /** Locks the row, whether it is there or not. Tokens are larger than 0. */
  private static final String ENTER =
      """
      insert into tidemark_commit (pipeline, slice, partition, token)
      values (?, ?, ?, 0)
      on conflict (pipeline, slice, partition) do update set pipeline = excluded.pipeline
      returning token, written
      """;

  private static final String RECORD =
      """
      update tidemark_commit
         set token = ?, written = ?, committed_at = clock_timestamp()
       where pipeline = ? and slice = ? and partition = ?
      """;

  /** Writes the token down; the caller commits it together with what it has written. */
  void record(Connection connection, long written) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RECORD)) {
      statement.setLong(1, run.token());
      statement.setLong(2, written);
      set(statement, 3);
      statement.executeUpdate();
    }
  }

  private void set(PreparedStatement statement, int from) throws SQLException {
    statement.setString(from, run.pipeline());
    statement.setString(from + 1, run.slice().canonical());
    statement.setString(from + 2, run.window().label());
  }

  /** A later attempt has committed in the target database: this one may not. */
  static final class PassedException extends Exception {
    private static final long serialVersionUID = 1L;

    PassedException(long committed, TaskRun run) {
      super(
          "the target database has a commit of token %d, later than this attempt's %d, in tidemark_commit (pipeline '%s', slice '%s', partition '%s')"
              .formatted(
                  committed,
                  run.token(),
                  run.pipeline(),
                  run.slice().canonical(),
                  run.window().label()));
    }
  }
}
