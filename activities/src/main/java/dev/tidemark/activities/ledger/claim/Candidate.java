package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.workflows.planning.Reason;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that a claim may take.
 *
 * @param read the row as it was read
 * @param live due by a derived cause too, not only asked for
 * @param backfills that ask for it and may have another partition run
 */
record Candidate(
    Read read,
    Instant start,
    String slice,
    @Nullable String account,
    Reason reason,
    boolean live,
    List<String> backfills) {

  /**
   * A row, and its version: one that has changed since is left alone.
   *
   * @param version what PostgreSQL changes with every write, its xmin
   */
  record Read(long id, String version) {
    static Read of(Row row) throws SQLException {
      return new Read(row.number("id"), row.text("version"));
    }
  }

  long id() {
    return read.id();
  }

  String version() {
    return read.version();
  }
}
