package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.PartitionFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the ledger for people; changes nothing. */
public final class LedgerReader {
  private final DataSource dataSource;

  public LedgerReader(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Counts, closed through, complete through, oldest hole, late, freshness. */
  public Status status(RegisteredPipeline pipeline, @Nullable Instant now) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Rows of partition_state: column name to value (times as Instant, slice as canonical text), by
   * window_start, then slice; at most {@code limit}.
   */
  public List<Map<String, @Nullable Object>> partitions(
      RegisteredPipeline pipeline, Filter filter, int limit) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * The facts of every row whose window starts in [from, to), for planning; by window start, then
   * slice.
   */
  public List<PartitionFacts> facts(RegisteredPipeline pipeline, Instant from, Instant to) {
    throw new UnsupportedOperationException("to be built");
  }

  /** The facts of one partition, if it has a row. */
  public Optional<PartitionFacts> facts(
      RegisteredPipeline pipeline, Slice slice, String partition) {
    throw new UnsupportedOperationException("to be built");
  }

  /** The attempts of a partition, newest first. */
  public List<AttemptView> attempts(
      RegisteredPipeline pipeline, Slice slice, String partition, int limit) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Which rows.
   *
   * @param from first window, null for no bound
   * @param to last window, inclusive, null for no bound
   * @param states any of these states ({@code parked} too); empty for all
   * @param slice dimensions that must be equal
   */
  public record Filter(
      @Nullable Window from, @Nullable Window to, List<String> states, Slice slice) {}

  /** One attempt. Log is what the task printed last, null where it printed nothing. */
  public record AttemptView(
      long token,
      Instant beganAt,
      @Nullable Instant endedAt,
      @Nullable String outcome,
      @Nullable String error,
      @Nullable String inputVersion,
      String claimedBy,
      @Nullable String log) {}

  /**
   * A pipeline's state (contracts, section 1, status).
   *
   * @param counts by state, all eight keys of the contract
   */
  public record Status(
      String pipeline,
      boolean paused,
      int revision,
      @Nullable String closedThrough,
      @Nullable String completeThrough,
      @Nullable String oldestHole,
      int late,
      Map<String, Integer> counts,
      String freshness) {}
}
