package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.breaker.Breakers;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.claim.LiveWork;
import dev.tidemark.activities.ledger.claim.Rotation;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Punctuality;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.LiveClaims;
import dev.tidemark.workflows.planning.PartitionFacts;
import dev.tidemark.workflows.planning.Turns;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the ledger for people; changes nothing. */
public final class LedgerReader {
  private final Database database;

  public LedgerReader(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Counts, closed through, complete through, oldest hole, late, freshness.
   *
   * @param now decides what is closed; null is the database's clock
   */
  public Status status(RegisteredPipeline pipeline, @Nullable Instant now) {
    return status(pipeline, List.of(), now);
  }

  /**
   * The same, also right for a pipeline that no sweep has planned yet.
   *
   * @param slices what it expects; counts only where the ledger knows nothing of it
   */
  public Status status(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, @Nullable Instant now) {
    return database.transaction(connection -> StatusQuery.read(connection, pipeline, slices, now));
  }

  /** The database's clock. */
  public Instant now() {
    return database.transaction(Database::clock);
  }

  private static final Sql PARTITIONS =
      Sql.of(
          """
          select *
            from public.partition_state
           where pipeline = :pipeline
             and (:from::timestamptz is null or window_start >= :from)
             and (:to::timestamptz is null or window_start <= :to)
             and (cardinality(:states::text[]) = 0
               or state = any(:states::text[])
               or parked and 'parked' = any(:states::text[]))
             and string_to_array(slice, '/') @> :slice::text[]
           order by window_start, slice
           limit :most
          """);

  /**
   * Rows of partition_state: column name to value (times as Instant, slice as canonical text), by
   * window_start, then slice; at most {@code limit}.
   */
  public List<Map<String, @Nullable Object>> partitions(
      RegisteredPipeline pipeline, Filter filter, int limit) {
    Instant from = filter.from() == null ? null : filter.from().start();
    Instant to = filter.to() == null ? null : filter.to().start();
    return database.transaction(
        connection ->
            PARTITIONS
                .on(connection)
                .set("pipeline", pipeline.name())
                .set("from", from)
                .set("to", to)
                .set("states", filter.states())
                .set("slice", NamedPartitions.parts(filter.slice()))
                .set("most", limit)
                .list(row -> columns(row.result())));
  }

  private static Map<String, @Nullable Object> columns(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    ResultSetMetaData names = row.getMetaData();
    for (int i = 1; i <= names.getColumnCount(); i++) {
      Object value = row.getObject(i);
      columns.put(names.getColumnName(i), value instanceof Timestamp t ? t.toInstant() : value);
    }
    return columns;
  }

  private static final Sql FACTS =
      Sql.of(
          """
          select *, lease_until > clock_timestamp() as live,
                 coalesce(predecessor_now > 0 and predecessor <> predecessor_now, false)
                   as rebuilt_before
            from tidemark.partition_ledger
           where pipeline_id = :pipeline
             and window_start >= :from
             and window_start < :to
           order by window_start, slice
          """);

  /**
   * The facts of every row whose window starts in [from, to), for planning; by window start, then
   * slice.
   */
  public List<PartitionFacts> facts(RegisteredPipeline pipeline, Instant from, Instant to) {
    return database.transaction(
        connection ->
            FACTS
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("from", from)
                .set("to", to)
                .list(FactsRow::facts));
  }

  private static final Sql FACTS_OF_ONE =
      Sql.of(
          """
          select *, lease_until > clock_timestamp() as live,
                 coalesce(predecessor_now > 0 and predecessor <> predecessor_now, false)
                   as rebuilt_before
            from tidemark.partition_ledger
           where pipeline_id = :pipeline
             and slice = :slice
             and partition = :partition
          """);

  /** The facts of one partition, if it has a row. */
  public Optional<PartitionFacts> facts(
      RegisteredPipeline pipeline, Slice slice, String partition) {
    return database.transaction(
        connection ->
            FACTS_OF_ONE
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("slice", slice.canonical())
                .set("partition", partition)
                .first(FactsRow::facts));
  }

  /** The accounts that are left alone, or of which one partition at a time is tried. */
  public List<OpenBreaker> breakers(RegisteredPipeline pipeline) {
    return database.roundTrip(connection -> Breakers.list(connection, pipeline));
  }

  /** Whose turn of live work it is. */
  public Turns turns(RegisteredPipeline pipeline) {
    return database.roundTrip(connection -> Rotation.live(connection, pipeline));
  }

  private static final Sql LIVE_CLAIMS =
      Sql.of(
          """
          select claim_class = 'live' as live, account, count(*) as count
            from tidemark.partition_ledger
           where pipeline_id = :pipeline and claim_id is not null
           group by 1, 2
          """);

  /** What is under a live claim, by class and account. */
  public LiveClaims liveClaims(RegisteredPipeline pipeline) {
    List<LiveWork.Group> groups =
        database.roundTrip(
            connection ->
                LIVE_CLAIMS
                    .on(connection)
                    .set("pipeline", pipeline.id())
                    .list(
                        row ->
                            new LiveWork.Group(
                                row.flag("live"),
                                row.textOrNull("account"),
                                row.integer("count"))));
    return LiveWork.of(groups, null, List.of()).claims();
  }

  private static final Sql EXPECTED_SLICES =
      Sql.of(
          """
          select slice, since, until
            from tidemark.expected_slice
           where pipeline_id = :pipeline
           order by slice
          """);

  /** The slices that were expected when the expected set was last brought up to date. */
  public List<ExpectedSlice> expectedSlices(RegisteredPipeline pipeline) {
    Partitioning partitions = pipeline.definition().extent().partitions();
    return database.transaction(
        connection ->
            EXPECTED_SLICES
                .on(connection)
                .set("pipeline", pipeline.id())
                .list(
                    row ->
                        new ExpectedSlice(
                            Slice.parse(row.text("slice")),
                            partitions.containing(row.instant("since")),
                            windowOrNull(partitions, row.instantOrNull("until")))));
  }

  private static @Nullable Window windowOrNull(Partitioning partitions, @Nullable Instant start) {
    return start == null ? null : partitions.containing(start);
  }

  // The newest active request says for whom it is queued.
  private static final Sql STORY =
      Sql.of(
          """
          select l.state, l.excuse, l.excused_at, l.parked_at, l.skipped_at, l.output_lost_at,
                 l.input_seen_at, l.committed_at, l.next_attempt_at, l.last_error,
                 l.failed_claims, l.retried_at, l.claimed_by, l.lease_until, p.paused_at, l.upstream_hold,
                 b.backfill_id, b.requested_at, b.requested_by, b.reason
            from tidemark.pipeline p
            join tidemark.partition_ledger l using (pipeline_id)
            left join lateral (
                select b.*
                  from tidemark.backfill_item i
                  join tidemark.backfill b using (backfill_id)
                 where i.row_id = l.id
                   and i.state = 'requested'
                   and b.state in ('requested', 'running', 'failed')
                 order by b.requested_at desc
                 limit 1) b on true
           where l.pipeline_id = :pipeline
             and l.slice = :slice
             and l.partition = :partition
          """);

  /** What happened to one partition, if it has a row. */
  public Optional<PartitionStory> story(
      RegisteredPipeline pipeline, Slice slice, String partition) {
    return database.transaction(
        connection ->
            STORY
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("slice", slice.canonical())
                .set("partition", partition)
                .first(PartitionStory::of));
  }

  /** What is known of a partition's time, whether it has a row or not. */
  public Punctuality punctuality(RegisteredPipeline pipeline, Slice slice, String partition) {
    return database.transaction(
        connection -> Punctuality.read(connection, pipeline, slice, partition));
  }

  private static final Sql ATTEMPTS =
      Sql.of(
          """
          select a.token, a.began_at, a.ended_at, a.outcome, a.error,
                 nullif(a.input_version, '') as input_version, a.claimed_by, a.log
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
           where l.pipeline_id = :pipeline
             and l.slice = :slice
             and l.partition = :partition
           order by a.token desc
           limit :most
          """);

  /** The attempts of a partition, newest first. */
  public List<AttemptView> attempts(
      RegisteredPipeline pipeline, Slice slice, String partition, int limit) {
    return database.transaction(
        connection ->
            ATTEMPTS
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("slice", slice.canonical())
                .set("partition", partition)
                .set("most", limit)
                .list(LedgerReader::toAttempt));
  }

  private static AttemptView toAttempt(Row row) throws SQLException {
    return new AttemptView(
        row.number("token"),
        row.instant("began_at"),
        row.instantOrNull("ended_at"),
        row.textOrNull("outcome"),
        row.textOrNull("error"),
        row.textOrNull("input_version"),
        row.text("claimed_by"),
        row.textOrNull("log"));
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
   * @param late committed, and the input version differs from the processed one; as in the view
   * @param staleDefinition committed, and made with an older definition
   * @param counts by state, all eight keys of the contract; {@code failed} is without {@code
   *     parked}, {@code too_late} are those of the completed ones that are late beyond what is
   *     accepted
   * @param freshness the label of a {@link dev.tidemark.activities.ledger.freshness.Freshness}
   */
  public record Status(
      String pipeline,
      boolean paused,
      int revision,
      @Nullable String closedThrough,
      @Nullable String completeThrough,
      @Nullable String oldestHole,
      int late,
      int staleDefinition,
      Map<String, Integer> counts,
      String freshness) {}
}
