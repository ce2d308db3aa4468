package dev.tidemark.activities.ledger.census;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.workflows.partition.Partitioning;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Slices of a pipeline whose rows have come equally far: they have a row for each window that
 * starts in [since, through), and none beyond.
 *
 * @param until where the slices end, null for no end
 */
record Reach(int pipeline, Instant since, Instant through, @Nullable Instant until, int slices) {
  static Reach of(Row row) throws SQLException {
    return new Reach(
        row.integer("pipeline_id"),
        row.instant("since"),
        row.instant("through"),
        row.instantOrNull("until"),
        row.integer("slices"));
  }

  /** How many rows they have. */
  int rows(Partitioning partitions) {
    return count(partitions, since, through) * slices;
  }

  /** Windows without a row yet that start at {@code newest} or earlier. */
  int unrowed(Partitioning partitions, Instant newest) {
    Instant end = newest.plusMillis(1);
    return count(partitions, through, until != null && until.isBefore(end) ? until : end) * slices;
  }

  private static int count(Partitioning partitions, Instant from, Instant to) {
    return from.isBefore(to) ? partitions.windows(from, to).size() : 0;
  }
}
