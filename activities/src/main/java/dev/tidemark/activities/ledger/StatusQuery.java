package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.HashMap;
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
                 min(window_start) filter (where hole and window_start <= :newest) as oldest_hole
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

  /** Reads it. */
  static LedgerReader.Status read(
      Connection connection, RegisteredPipeline pipeline, List<ExpectedSlice> slices, Instant now)
      throws SQLException {
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
    Unrowed unrowed =
        closed.isEmpty() ? Unrowed.NONE : unrowed(connection, pipeline, slices, newest);
    return ROWS.on(connection)
        .set("accepted", accepted)
        .set("newest", newest)
        .set("pipeline", pipeline.id())
        .set("fingerprint", pipeline.fingerprint())
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
        freshness(pipeline, now, closed, hole));
  }

  private static @Nullable String completeThrough(
      Partitioning partitions, Optional<Window> closed, @Nullable Instant hole) {
    if (hole == null) {
      return closed.map(Window::label).orElse(null);
    }
    Window before = partitions.previous(partitions.containing(hole));
    return partitions.contains(before) ? before.label() : null;
  }

  private static String freshness(
      RegisteredPipeline pipeline, Instant now, Optional<Window> closed, @Nullable Instant hole) {
    Duration within = pipeline.definition().pace().freshness();
    if (within == null || closed.isEmpty()) {
      return "unknown";
    }
    boolean breached =
        hole != null
            && pipeline
                .definition()
                .extent()
                .closedThrough(now.minus(within))
                .filter(due -> !due.start().isBefore(hole))
                .isPresent();
    return breached ? "stale" : "fresh";
  }

  private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isBefore(b) ? a : b;
  }

  /** Closed partitions that no sweep has made a row of yet. */
  private record Unrowed(int count, @Nullable Instant first) {
    static final Unrowed NONE = new Unrowed(0, null);
  }

  private static final Sql EXPECTED_FROM =
      Sql.of(
          """
          select greatest(since, through) as next, until, count(*) as slices
            from tidemark.expected_slice
           where pipeline_id = :pipeline
           group by 1, 2
          """);

  /** Windows without a row yet: they start at {@code next} or later, and before {@code until}. */
  private record Ahead(Instant next, @Nullable Instant until) {
    private static Ahead of(ExpectedSlice slice) {
      Window until = slice.until();
      return new Ahead(slice.since().start(), until == null ? null : until.start());
    }

    List<Window> windows(Partitioning partitions, Instant newest) {
      Instant end = newest.plusMillis(1);
      return partitions.windows(next, until != null && until.isBefore(end) ? until : end);
    }
  }

  private static Unrowed unrowed(
      Connection connection,
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      Instant newest)
      throws SQLException {
    Map<Ahead, Integer> next = new HashMap<>();
    EXPECTED_FROM
        .on(connection)
        .set("pipeline", pipeline.id())
        .list(
            row ->
                next.put(
                    new Ahead(row.instant("next"), row.instantOrNull("until")),
                    row.integer("slices")));
    if (next.isEmpty()) {
      // No sweep has planned it yet: all that it expects has no row.
      slices.forEach(slice -> next.merge(Ahead.of(slice), 1, Integer::sum));
    }
    Partitioning partitions = pipeline.definition().extent().partitions();
    Unrowed unrowed = Unrowed.NONE;
    for (Map.Entry<Ahead, Integer> entry : next.entrySet()) {
      List<Window> windows = entry.getKey().windows(partitions, newest);
      if (!windows.isEmpty()) {
        unrowed =
            new Unrowed(
                unrowed.count() + windows.size() * entry.getValue(),
                earlier(unrowed.first(), windows.get(0).start()));
      }
    }
    return unrowed;
  }
}
