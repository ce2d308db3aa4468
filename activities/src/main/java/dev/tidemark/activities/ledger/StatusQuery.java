package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.activities.ledger.freshness.Unrowed;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of one pipeline, from one pass over its rows and the windows that have none yet. */
final class StatusQuery {
  private StatusQuery() {}

  // A hole is a closed window that is neither committed nor passed over on purpose.
  private static final Sql ROWS =
      Sql.of(
          """
          select count(*) filter (where state = 'never_attempted') as never_attempted,
                 count(*) filter (where state = 'queued') as queued,
                 count(*) filter (where state = 'running') as running,
                 count(*) filter (where state = 'completed') as completed,
                 count(*) filter (where state = 'failed' and parked_at is null) as failed,
                 count(*) filter (where state = 'failed' and parked_at is not null) as parked,
                 count(*) filter (where state = 'excused') as excused,
                 count(*) filter (where late) as late,
                 count(*) filter (where stale) as stale_definition,
                 count(*) filter (where late and window_start < :accepted) as too_late,
                 min(window_start) filter (where hole and window_start <= :newest) as oldest_hole,
                 (select max(recovered_at) from tidemark.alert
                   where pipeline_id = :pipeline and rule = 'freshness'
                     and recovered_at is not null) as recovered_at,
                 (select min(registered_at) from tidemark.revision
                   where pipeline_id = :pipeline and :at_clock) as registered_at
            from (
              select state, parked_at, window_start,
                     committed_token is not null and claim_id is null
                       and processed_version is not null
                       and input_version is distinct from processed_version as late,
                     committed_token is not null and claim_id is null
                       and definition <> :fingerprint as stale,
                     (committed_token is null or output_lost_at is not null)
                       and excused_at is null and skipped_at is null as hole
                from tidemark.partition_ledger
               where pipeline_id = :pipeline
                 and expected) l
          """);

  private static final List<String> STATES =
      List.of(
          "never_attempted",
          "queued",
          "running",
          "completed",
          "failed",
          "parked",
          "excused",
          "too_late");

  /**
   * Reads it.
   *
   * @param given decides what is closed; null is the database's clock
   */
  static LedgerReader.Status read(
      Connection connection,
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      @Nullable Instant given)
      throws SQLException {
    Instant now = given == null ? Database.clock(connection) : given;
    Extent extent = pipeline.definition().extent();
    Optional<Window> closed = extent.closedThrough(now);
    // Without a closed window no row is a hole and nothing is too late.
    Instant newest = closed.map(Window::start).orElse(Instant.EPOCH.minus(Duration.ofDays(1)));
    Instant accepted =
        closed.isEmpty()
            ? newest
            : ZonedDateTime.ofInstant(newest, extent.partitions().zone())
                .minus(pipeline.definition().integration().accept())
                .toInstant();
    Unrowed unrowed = Unrowed.read(connection, pipeline, slices, newest);
    return ROWS.on(connection)
        .set("accepted", accepted)
        .set("newest", newest)
        .set("pipeline", pipeline.id())
        .set("fingerprint", pipeline.fingerprint())
        .set("at_clock", given == null)
        .first(row -> status(pipeline, now, closed, unrowed, row))
        .orElseThrow();
  }

  private static LedgerReader.Status status(
      RegisteredPipeline pipeline, Instant now, Optional<Window> closed, Unrowed unrowed, Row row)
      throws SQLException {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (String state : STATES) {
      counts.put(state, row.integer(state));
    }
    counts.merge("never_attempted", unrowed.count(), Integer::sum);
    Instant hole = earlier(row.instantOrNull("oldest_hole"), unrowed.first());
    Partitioning partitions = pipeline.definition().extent().partitions();
    return new LedgerReader.Status(
        pipeline.name(),
        pipeline.paused(),
        pipeline.revision(),
        closed.map(Window::label).orElse(null),
        completeThrough(partitions, closed, hole),
        hole == null ? null : partitions.containing(hole).label(),
        row.integer("late"),
        row.integer("stale_definition"),
        counts,
        Freshness.at(
                pipeline.definition(),
                now,
                Freshness.overdueThrough(
                    pipeline.definition(), now, row.instantOrNull("registered_at")),
                hole,
                row.instantOrNull("recovered_at"))
            .label());
  }

  private static @Nullable String completeThrough(
      Partitioning partitions, Optional<Window> closed, @Nullable Instant hole) {
    if (hole == null) {
      return closed.map(Window::label).orElse(null);
    }
    Window before = partitions.previous(partitions.containing(hole));
    return partitions.contains(before) ? before.label() : null;
  }

  private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isBefore(b) ? a : b;
  }
}
