package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.PartitionFacts;
import java.sql.SQLException;
import java.util.EnumSet;

/** Reads what planning knows of a partition from a row of the ledger. */
final class FactsRow {
  private FactsRow() {}

  static PartitionFacts facts(Row row) throws SQLException {
    Long token = row.numberOrNull("committed_token");
    PartitionFacts.Commit commit =
        token == null
            ? null
            : new PartitionFacts.Commit(
                token,
                row.instantOrNull("closed_through"),
                row.textOrNull("definition"),
                row.flag("rebuilt_before"));
    return new PartitionFacts(
        Slice.parse(row.text("slice")),
        new Window(row.text("partition"), row.instant("window_start"), row.instant("window_end")),
        new PartitionFacts.Generations(row.integer("requested_gen"), row.integer("done_gen")),
        new PartitionFacts.Versions(
            row.textOrNull("input_version"),
            row.textOrNull("processed_version"),
            row.instantOrNull("input_seen_at")),
        commit,
        new PartitionFacts.Trouble(
            row.integer("failed_claims"),
            row.instantOrNull("next_attempt_at"),
            row.instantOrNull("next_attempt_now")),
        marks(row));
  }

  private static EnumSet<PartitionFacts.Mark> marks(Row row) throws SQLException {
    EnumSet<PartitionFacts.Mark> marks = EnumSet.noneOf(PartitionFacts.Mark.class);
    mark(marks, PartitionFacts.Mark.EXPECTED, row.flag("expected"));
    mark(marks, PartitionFacts.Mark.SKIPPED, row.textOrNull("skipped_at") != null);
    mark(marks, PartitionFacts.Mark.EXCUSED, row.textOrNull("excused_at") != null);
    mark(marks, PartitionFacts.Mark.PARKED, row.textOrNull("parked_at") != null);
    mark(marks, PartitionFacts.Mark.LIVE, row.flag("live"));
    mark(marks, PartitionFacts.Mark.NO_INPUT, row.flag("no_input"));
    mark(marks, PartitionFacts.Mark.UPSTREAM_NOT_READY, row.textOrNull("upstream_hold") != null);
    mark(marks, PartitionFacts.Mark.OUTPUT_LOST, row.textOrNull("output_lost_at") != null);
    return marks;
  }

  private static void mark(
      EnumSet<PartitionFacts.Mark> marks, PartitionFacts.Mark mark, boolean set) {
    if (set) {
      marks.add(mark);
    }
  }
}
