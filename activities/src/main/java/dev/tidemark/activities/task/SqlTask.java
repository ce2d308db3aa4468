package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.connection.Outage;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs SQL in one transaction, and makes no files. With {@code replace}, what was there is deleted
 * first, so that a run after a run leaves the same rows (A53), and the attempts of a partition are
 * fenced in the target database too. Without, the statements are run as they are: what makes them
 * safe to run again is theirs, and {@code :token} is there for it.
 */
final class SqlTask implements TaskRunner {
  private static final Logger log = LoggerFactory.getLogger(SqlTask.class);

  /** The run is ended at its timeout; this ends the statement where that could not. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final DataSource database;
  private final TaskSpec.Sql spec;

  SqlTask(DataSource database, TaskSpec.Sql spec) {
    this.database = database;
    this.spec = spec;
  }

  /** Its rows are those that the statements changed. */
  @Override
  public Contents run(TaskRun run)
      throws SQLException, NotReadyException, CommitFence.PassedException {
    try {
      return Contents.of(committed(run));
    } catch (SQLException e) {
      if (Outage.isOutage(e) && !run.isCancelled()) {
        throw new NotReadyException(
            "connection '" + spec.connection() + "' cannot be reached: " + e.getMessage());
      }
      throw e;
    }
  }

  /** An answer that was lost may have been that of the commit: the fence knows, so it is asked. */
  private long committed(TaskRun run) throws SQLException, CommitFence.PassedException {
    try {
      return transaction(run);
    } catch (SQLException e) {
      if (spec.replace() == null || !Outage.isOutage(e) || run.isCancelled()) {
        throw e;
      }
      run.log("the connection broke (" + e.getMessage() + "); trying once more");
      return transaction(run);
    }
  }

  private long transaction(TaskRun run) throws SQLException, CommitFence.PassedException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      boolean done = false;
      try {
        TaskSpec.Replace replace = spec.replace();
        long rows =
            replace == null
                ? execute(run, connection, spec.sql())
                : replace(run, connection, replace);
        if (run.isTrial()) {
          run.log("would write " + rows + " rows; rolled back");
          return rows;
        }
        connection.commit();
        done = true;
        run.log("wrote " + rows + " rows");
        return rows;
      } finally {
        if (!done) {
          rollBack(connection);
        }
      }
    }
  }

  private long replace(TaskRun run, Connection connection, TaskSpec.Replace replace)
      throws SQLException, CommitFence.PassedException {
    CommitFence fence = new CommitFence(run);
    if (!run.isTrial()) {
      OptionalLong already = fence.enter(connection);
      if (already.isPresent()) {
        run.log("was committed before the connection broke");
        return already.getAsLong();
      }
    }
    // On a line of its own, the parenthesis is not part of a comment that ends the predicate.
    String delete = "delete from " + replace.table() + " where (" + replace.where() + "\n)";
    run.log("replaced " + execute(run, connection, delete) + " rows");
    long rows = execute(run, connection, spec.sql());
    if (!run.isTrial()) {
      fence.record(connection, rows);
    }
    return rows;
  }

  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException broken) {
      log.debug("a connection broke before its transaction was rolled back", broken);
    }
  }

  private long execute(TaskRun run, Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement =
        NamedSql.parse(sql).prepare(connection, TaskValues.sql(run))) {
      statement.setQueryTimeout(seconds(spec.timeout().plus(MARGIN)));
      // An interrupt does not reach a thread that waits for a database.
      run.onEnd(() -> cancel(statement));
      try {
        long rows = 0;
        boolean isResult = statement.execute();
        while (isResult || statement.getUpdateCount() >= 0) {
          rows += isResult ? 0 : statement.getLargeUpdateCount();
          isResult = statement.getMoreResults();
        }
        return rows;
      } finally {
        run.onEnd(null);
      }
    }
  }

  static void cancel(PreparedStatement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      log.warn("cannot cancel a statement; its timeout ends it", e);
    }
  }

  private static int seconds(Duration timeout) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE / 1000, timeout.toSeconds()));
  }
}
