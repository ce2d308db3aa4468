package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.connection.Outage;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs SQL in one transaction: what {@code replace} names is deleted first, so that a run after a
 * run leaves the same rows (A53). Its rows are those that the statements changed. It makes no
 * files.
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

  @Override
  public Long run(TaskRun run) throws SQLException, NotReadyException {
    try {
      return transaction(run);
    } catch (SQLException e) {
      if (Outage.isOutage(e) && !run.isCancelled()) {
        throw new NotReadyException(
            "connection '" + spec.connection() + "' cannot be reached: " + e.getMessage());
      }
      throw e;
    }
  }

  private long transaction(TaskRun run) throws SQLException {
    Map<String, String> values = values(run);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        TaskSpec.Replace replace = spec.replace();
        if (replace != null) {
          String delete = "delete from " + replace.table() + " where " + replace.where();
          run.log("replaced " + execute(run, connection, delete, values) + " rows");
        }
        long rows = execute(run, connection, spec.sql(), values);
        connection.commit();
        run.log("wrote " + rows + " rows");
        return rows;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  private long execute(TaskRun run, Connection connection, String sql, Map<String, String> values)
      throws SQLException {
    try (PreparedStatement statement = NamedSql.parse(sql).prepare(connection, values)) {
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

  private static void cancel(PreparedStatement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      log.warn("cannot cancel a statement; its timeout ends it", e);
    }
  }

  private static int seconds(Duration timeout) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE / 1000, timeout.toSeconds()));
  }

  private static Map<String, String> values(TaskRun run) {
    Map<String, String> values = new HashMap<>();
    values.put("partition", run.window().label());
    values.put("start", NamedSql.time(run.window().start(), run.subject().zone()));
    values.put("end", NamedSql.time(run.window().end(), run.subject().zone()));
    run.slice().values().forEach((key, value) -> values.put("slice_" + key, value));
    run.params().forEach((key, value) -> values.put("param_" + key.replace('-', '_'), value));
    return values;
  }
}
