package dev.tidemark.activities.ledger.freshness;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger knows of one partition's time (c-M5).
 *
 * @param registered when the pipeline first was
 * @param committed whether it is, and its output is not lost
 * @param wasOverdue whether an alert told so, which its commit ended; remembered for 90 days
 */
public record Punctuality(Instant registered, boolean committed, boolean wasOverdue) {

  private static final Sql KNOWN =
      Sql.of(
          """
          select (select min(r.registered_at) from tidemark.revision r
                   where r.pipeline_id = :pipeline) as registered_at,
                 exists (select from tidemark.partition_ledger l
                          where l.pipeline_id = :pipeline and l.slice = :slice
                            and l.partition = :partition
                            and l.committed_token is not null
                            and l.output_lost_at is null) as committed,
                 exists (select from tidemark.alert a
                          where a.pipeline_id = :pipeline and a.rule = 'freshness'
                            and a.slice = :slice and a.partition = :partition
                            and a.recovered_because = 'committed') as was_overdue
          """);

  /** Reads it; a partition without a row is not committed. */
  public static Punctuality read(
      Connection connection, RegisteredPipeline pipeline, Slice slice, String partition)
      throws SQLException {
    return KNOWN
        .on(connection)
        .set("pipeline", pipeline.id())
        .set("slice", slice.canonical())
        .set("partition", partition)
        .first(Punctuality::of)
        .orElseThrow();
  }

  private static Punctuality of(Row row) throws SQLException {
    return new Punctuality(
        row.instant("registered_at"), row.flag("committed"), row.flag("was_overdue"));
  }

  /**
   * Until when it has to be committed; null where the pipeline has no rule. The same moment as
   * {@link Freshness#overdueThrough} goes by.
   *
   * @param atClock whether the time is the database's; a time given by hand may be long before the
   *     pipeline was registered
   */
  public @Nullable Instant deadline(PipelineDefinition definition, Window window, boolean atClock) {
    Duration within = definition.pace().freshness();
    if (within == null) {
      return null;
    }
    Instant closes =
        definition.extent().closure().closesAt(window, definition.extent().partitions().zone());
    Instant from = atClock && registered.isAfter(closes) ? registered : closes;
    return from.plus(within);
  }

  /** The state at {@code now} of a partition that is expected and whose window is closed. */
  public Freshness at(Instant now, @Nullable Instant deadline) {
    if (deadline == null) {
      return Freshness.UNKNOWN;
    }
    if (committed) {
      return wasOverdue ? Freshness.RECOVERED : Freshness.FRESH;
    }
    return now.isBefore(deadline) ? Freshness.FRESH : Freshness.STALE;
  }
}
