package dev.tidemark.activities.export;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams what a query returns into files: by a cursor, in one read-only transaction with one
 * snapshot, so that memory does not grow with the rows and all rows are of one instant. The
 * session's time zone is UTC, whatever the machine's and the database's.
 */
public final class Exporter {
  private static final Logger log = LoggerFactory.getLogger(Exporter.class);
  private static final int FETCH_ROWS = 500;

  /** The run is ended at its timeout; this ends the statement where that could not. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final DataSource database;
  private final TaskSpec.Export spec;

  public Exporter(DataSource database, TaskSpec.Export spec) {
    this.database = database;
    this.spec = spec;
  }

  /** Told what ends the query from another thread, and null when there is nothing to end. */
  @FunctionalInterface
  public interface Ending {
    void onEnd(@Nullable Runnable action);
  }

  /**
   * What was written.
   *
   * @param parts rows of each file, by its name
   * @param snapshotAt when the database was as the rows show it, by its own clock
   * @param leftOut what the query leaves out, as far as the definition asks
   */
  public record Exported(Map<String, Long> parts, Instant snapshotAt, List<LeftOut> leftOut) {
    public long rows() {
      return parts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * Writes the files into the folder.
   *
   * @param values of the query's parameters
   * @throws SchemaMismatchException if the query returns other columns than the pinned ones; no
   *     file was made
   * @throws MisfitException if a value does not fit; some files were made
   * @throws InterruptedException if the thread was interrupted
   */
  public Exported run(Map<String, String> values, Path folder, Ending ending)
      throws SQLException,
          IOException,
          SchemaMismatchException,
          MisfitException,
          InterruptedException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Instant snapshotAt = Source.of(connection).begin(connection);
        List<LeftOut> leftOut = leftOut(connection, values);
        return new Exported(stream(connection, values, folder, ending), snapshotAt, leftOut);
      } finally {
        connection.rollback();
      }
    }
  }

  private List<LeftOut> leftOut(Connection connection, Map<String, String> values)
      throws SQLException, SchemaMismatchException {
    String sql = spec.leftOut();
    return sql == null ? List.of() : LeftOut.read(connection, sql, values, timeoutSeconds());
  }

  private int timeoutSeconds() {
    return (int) Math.min(Integer.MAX_VALUE / 1000, spec.timeout().plus(MARGIN).toSeconds());
  }

  private Map<String, Long> stream(
      Connection connection, Map<String, String> values, Path folder, Ending ending)
      throws SQLException,
          IOException,
          SchemaMismatchException,
          MisfitException,
          InterruptedException {
    List<Column> columns = spec.dataset().columns();
    try (PreparedStatement query = NamedSql.parse(spec.query()).prepare(connection, values)) {
      QueryShape.check(query, columns);
      query.setFetchSize(FETCH_ROWS);
      query.setQueryTimeout(timeoutSeconds());
      ending.onEnd(() -> cancel(query));
      try (ResultSet rows = query.executeQuery();
          Parts parts = new Parts(folder, spec.dataset(), spec.parts())) {
        RowReader reader = new RowReader(columns);
        while (rows.next()) {
          parts.write(reader.read(rows));
          if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException();
          }
        }
        return parts.finish();
      } finally {
        ending.onEnd(null);
      }
    }
  }

  private static void cancel(PreparedStatement query) {
    try {
      query.cancel();
    } catch (SQLException e) {
      // The thread is interrupted too, and sees it with the next row.
      log.warn("cannot cancel a query; it ends with its next row, or at its timeout", e);
    }
  }
}
