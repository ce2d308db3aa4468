package dev.tidemark.activities.export;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.export.row.CopyRows;
import dev.tidemark.activities.export.row.CursorRows;
import dev.tidemark.activities.export.row.Misfit;
import dev.tidemark.activities.export.row.Row;
import dev.tidemark.activities.export.row.RowSource;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams what a query returns into files, in one read-only transaction with one snapshot, so that
 * memory does not grow with the rows and all rows are of one instant: from PostgreSQL by a binary
 * {@code copy}, from other databases by a cursor. The session's time zone is UTC, whatever the
 * machine's and the database's.
 */
public final class Exporter {
  private static final Logger log = LoggerFactory.getLogger(Exporter.class);

  /** The run is ended at its timeout; this ends the statement where that could not. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  /** PostgreSQL counts milliseconds in 32 bits. */
  private static final int MAX_TIMEOUT_SECONDS = Integer.MAX_VALUE / 1000;

  private static final String LIMIT = "select set_config('statement_timeout', ?, true)";

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
   * @throws SchemaMismatchException if the query returns other columns than the pinned ones, or
   *     {@code left-out} something else than reasons and numbers; no file was made
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
      Source source = Source.of(connection);
      connection.setAutoCommit(false);
      try {
        Instant snapshotAt = source.begin(connection);
        List<LeftOut> leftOut = leftOut(connection, values, ending);
        return new Exported(stream(connection, values, folder, ending), snapshotAt, leftOut);
      } finally {
        connection.rollback();
        source.end(connection);
      }
    }
  }

  private List<LeftOut> leftOut(Connection connection, Map<String, String> values, Ending ending)
      throws SQLException, SchemaMismatchException {
    String sql = spec.leftOut();
    return sql == null
        ? List.of()
        : LeftOut.read(connection, sql, values, timeoutSeconds(), ending);
  }

  private Map<String, Long> stream(
      Connection connection, Map<String, String> values, Path folder, Ending ending)
      throws SQLException,
          IOException,
          SchemaMismatchException,
          MisfitException,
          InterruptedException {
    NamedSql sql = NamedSql.parse(spec.query());
    List<Column> columns = spec.dataset().columns();
    try (PreparedStatement query = sql.prepare(connection, values)) {
      List<String> types = QueryShape.check(query, columns);
      if (!isCopied(connection)) {
        query.setQueryTimeout(timeoutSeconds());
        ending.onEnd(() -> cancel(query::cancel));
        return write(CursorRows.start(query, columns), folder);
      }
      limit(connection);
      PGConnection postgres = connection.unwrap(PGConnection.class);
      String text = sql.inline(postgres, values);
      ending.onEnd(() -> cancel(postgres::cancelQuery));
      checkInterrupted();
      // An interrupt from here on is seen only between rows.
      return write(CopyRows.start(postgres, text, columns, types), folder);
    } finally {
      // The connection goes to others.
      ending.onEnd(null);
    }
  }

  /**
   * Whether the rows come by {@code copy}. Not from a database that never looked whether its texts
   * are texts: the driver does, when it makes strings of them.
   */
  private static boolean isCopied(Connection connection) throws SQLException {
    return connection.isWrapperFor(PGConnection.class)
        && !"SQL_ASCII"
            .equals(connection.unwrap(PGConnection.class).getParameterStatus("server_encoding"));
  }

  private Map<String, Long> write(RowSource source, Path folder)
      throws SQLException, IOException, MisfitException, InterruptedException {
    try (RowSource rows = source;
        Parts parts = new Parts(folder, spec.dataset(), spec.parts())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        parts.write(row);
        checkInterrupted();
      }
      return parts.finish();
    } catch (Misfit misfit) {
      throw MisfitException.of(spec.dataset().columns(), misfit);
    }
  }

  private static void checkInterrupted() throws InterruptedException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
  }

  /** A query's end. */
  @FunctionalInterface
  interface Cancellation {
    void run() throws SQLException;
  }

  /** Of {@code copy} the driver ends none by itself. */
  private void limit(Connection connection) throws SQLException {
    try (PreparedStatement limit = connection.prepareStatement(LIMIT)) {
      limit.setString(1, timeoutSeconds() + "s");
      limit.execute();
    }
  }

  private int timeoutSeconds() {
    return (int) Math.min(MAX_TIMEOUT_SECONDS, spec.timeout().plus(MARGIN).toSeconds());
  }

  static void cancel(Cancellation cancellation) {
    try {
      cancellation.run();
    } catch (SQLException e) {
      // The thread is interrupted too, and sees it with the next row.
      log.warn("cannot cancel a query; it ends with its next row, or at its timeout", e);
    }
  }
}
