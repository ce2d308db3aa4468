package dev.tidemark.activities.ledger.census;

import dev.tidemark.activities.ledger.census.PipelineCensus.Backlog;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts all pipelines. The counting itself is one statement over what is not simply done (index
 * partition_attention): what is done is the rows that there must be, by the slices and the
 * calendar, less the rest. What is due is asked of the claim, pipeline by pipeline, so that it is
 * what a claim would find.
 */
public final class Census {
  static final int MOST_DUE = 10_000;

  private static final List<String> STATES =
      List.of("never_attempted", "queued", "running", "completed", "failed", "parked", "excused");

  private final Database database;
  private final Definitions definitions;
  private final Claims claims;

  public Census(DataSource dataSource) {
    this.database = new Database(dataSource);
    this.definitions = new Definitions(dataSource);
    this.claims = new Claims(dataSource);
  }

  /** Every registered pipeline, by name, at the database's clock. */
  public List<PipelineCensus> take() {
    return take(null);
  }

  List<PipelineCensus> take(@Nullable Instant given) {
    List<RegisteredPipeline> pipelines = definitions.all();
    if (pipelines.isEmpty()) {
      return List.of();
    }
    Map<Integer, Integer> due = new HashMap<>();
    for (RegisteredPipeline pipeline : pipelines) {
      due.put(pipeline.id(), claims.outlook(pipeline, Scope.ALL, given, MOST_DUE).claimable());
    }
    return database.transaction(
        connection -> {
          BY_INDEX.on(connection).list(row -> row.text("seqscan"));
          Instant now = given == null ? Database.clock(connection) : given;
          Map<Integer, Instant> registered = given == null ? registered(connection) : Map.of();
          Found found = Found.read(connection, new At(now, registered), pipelines);
          return pipelines.stream()
              .map(
                  pipeline ->
                      found.census(
                          pipeline, new At(now, registered), due.getOrDefault(pipeline.id(), 0)))
              .toList();
        });
  }

  /**
   * Taken one by one, most of the conditions of partition_attention hold for many rows, and the
   * planner multiplies them out: it would read the whole table, of which the index has next to
   * nothing.
   */
  private static final Sql BY_INDEX =
      Sql.of("select set_config('enable_seqscan', 'off', true) as seqscan");

  private static final Sql REGISTERED =
      Sql.of("select pipeline_id, min(registered_at) as first from tidemark.revision group by 1");

  private static Map<Integer, Instant> registered(Connection connection) throws SQLException {
    Map<Integer, Instant> registered = new HashMap<>();
    REGISTERED
        .on(connection)
        .results(row -> registered.put(row.integer("pipeline_id"), row.instant("first")));
    return registered;
  }

  /**
   * When it is.
   *
   * @param registered when each pipeline was first registered; empty where the time is given by
   *     hand
   */
  private record At(Instant now, Map<Integer, Instant> registered) {
    Optional<Window> closed(RegisteredPipeline pipeline) {
      return pipeline.definition().extent().closedThrough(now);
    }

    Optional<Window> overdue(RegisteredPipeline pipeline) {
      return Freshness.overdueThrough(pipeline.definition(), now, registered.get(pipeline.id()));
    }
  }

  /** What is not simply done, of one pipeline. */
  private record Attention(
      int all, Map<String, Integer> states, int late, int overdue, @Nullable Instant hole) {
    static final Attention NONE = new Attention(0, Map.of(), 0, 0, null);

    static Attention of(Row row) throws SQLException {
      Map<String, Integer> states = new LinkedHashMap<>();
      for (String state : STATES) {
        states.put(state, row.integer(state));
      }
      return new Attention(
          row.integer("rows"),
          states,
          row.integer("late"),
          row.integer("overdue"),
          row.instantOrNull("hole"));
    }
  }

  /** Of one pipeline, whatever its rows. */
  private record Facts(@Nullable Duration sweepAge, @Nullable Instant recovered) {
    static final Facts NONE = new Facts(null, null);
  }

  /** What one round trip found, by the pipeline's id. */
  private record Found(
      Map<Integer, Attention> attention,
      Map<Integer, List<Reach>> reaches,
      Map<Integer, Map<String, Integer>> alerts,
      Map<Integer, Facts> facts) {

    private static final Sql READ =
        Sql.of(
            """
            select l.pipeline_id, count(*) as rows,
                   count(*) filter (where l.state = 'never_attempted') as never_attempted,
                   count(*) filter (where l.state = 'queued') as queued,
                   count(*) filter (where l.state = 'running') as running,
                   count(*) filter (where l.state = 'completed') as completed,
                   count(*) filter (where l.state = 'failed' and l.parked_at is null) as failed,
                   count(*) filter (where l.state = 'failed' and l.parked_at is not null) as parked,
                   count(*) filter (where l.state = 'excused') as excused,
                   count(*) filter (where l.committed_token is not null and l.claim_id is null
                     and l.processed_version is not null
                     and l.input_version is distinct from l.processed_version) as late,
                   count(*) filter (where l.window_start <= p.overdue and l.excused_at is null
                     and l.skipped_at is null
                     and (l.committed_token is null or l.output_lost_at is not null)) as overdue,
                   min(l.window_start) filter (where l.window_start <= p.newest
                     and l.excused_at is null and l.skipped_at is null
                     and (l.committed_token is null or l.output_lost_at is not null)) as hole
              from unnest(:pipelines::integer[], :newest::timestamptz[], :overdue::timestamptz[])
                     as p (id, newest, overdue)
              join tidemark.partition_ledger l on l.pipeline_id = p.id
             where l.expected
               and (l.committed_token is null or l.output_lost_at is not null
                 or l.failed_claims > 0 or l.parked_at is not null or l.excused_at is not null
                 or l.claim_id is not null or l.requested_gen > l.done_gen
                 or (l.processed_version is not null
                   and l.input_version is distinct from l.processed_version))
             group by l.pipeline_id;

            select pipeline_id, since, greatest(since, through) as through, until,
                   count(*) as slices
              from tidemark.expected_slice
             where pipeline_id = any(:pipelines::integer[])
             group by 1, 2, 3, 4;

            select pipeline_id, rule, count(*) as open
              from tidemark.alert
             where recovered_at is null and pipeline_id = any(:pipelines::integer[])
             group by 1, 2;

            select p.pipeline_id,
                   extract(epoch from clock_timestamp() - p.last_sweep_at)::bigint as sweep_age,
                   (select max(a.recovered_at) from tidemark.alert a
                     where a.pipeline_id = p.pipeline_id and a.rule = 'freshness'
                       and a.recovered_at is not null) as recovered_at
              from tidemark.pipeline p
             where p.pipeline_id = any(:pipelines::integer[])
            """);

    static Found read(Connection connection, At at, List<RegisteredPipeline> pipelines)
        throws SQLException {
      Found found = new Found(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
      List<@Nullable Instant> newest = new ArrayList<>();
      List<@Nullable Instant> overdue = new ArrayList<>();
      for (RegisteredPipeline pipeline : pipelines) {
        newest.add(start(at.closed(pipeline)));
        overdue.add(start(at.overdue(pipeline)));
      }
      READ.on(connection)
          .set("pipelines", pipelines.stream().map(RegisteredPipeline::id).toList())
          .set("newest", newest)
          .set("overdue", overdue)
          .results(
              row -> found.attention.put(row.integer("pipeline_id"), Attention.of(row)),
              row ->
                  found
                      .reaches
                      .computeIfAbsent(row.integer("pipeline_id"), id -> new ArrayList<>())
                      .add(Reach.of(row)),
              row ->
                  found
                      .alerts
                      .computeIfAbsent(row.integer("pipeline_id"), id -> new HashMap<>())
                      .put(row.text("rule"), row.integer("open")),
              row ->
                  found.facts.put(
                      row.integer("pipeline_id"),
                      new Facts(
                          seconds(row.numberOrNull("sweep_age")),
                          row.instantOrNull("recovered_at"))));
      return found;
    }

    private static @Nullable Duration seconds(@Nullable Long seconds) {
      return seconds == null ? null : Duration.ofSeconds(seconds);
    }

    private static @Nullable Instant start(Optional<Window> window) {
      return window.map(Window::start).orElse(null);
    }

    PipelineCensus census(RegisteredPipeline pipeline, At at, int due) {
      PipelineDefinition definition = pipeline.definition();
      Partitioning partitions = definition.extent().partitions();
      Attention rows = attention.getOrDefault(pipeline.id(), Attention.NONE);
      Facts known = facts.getOrDefault(pipeline.id(), Facts.NONE);
      List<Reach> slices = reaches.getOrDefault(pipeline.id(), unplanned(pipeline));
      @Nullable Instant newest = start(at.closed(pipeline));
      @Nullable Instant overdue = start(at.overdue(pipeline));
      int there = slices.stream().mapToInt(slice -> slice.rows(partitions)).sum();
      int unrowed = unrowed(slices, partitions, newest);
      Map<String, Integer> states = new LinkedHashMap<>();
      STATES.forEach(state -> states.put(state, rows.states().getOrDefault(state, 0)));
      states.merge("never_attempted", unrowed, Integer::sum);
      states.merge("completed", Math.max(0, there - rows.all()), Integer::sum);
      @Nullable Instant hole =
          oldest(
              rows.hole(),
              slices.stream().filter(slice -> unrowed(List.of(slice), partitions, newest) > 0));
      return new PipelineCensus(
          pipeline,
          states,
          new Backlog(
              due,
              rows.late(),
              rows.overdue() + unrowed(slices, partitions, overdue),
              hole == null ? Duration.ZERO : closedFor(definition, hole, at.now())),
          Freshness.at(definition, at.now(), at.overdue(pipeline), hole, known.recovered()),
          alerts.getOrDefault(pipeline.id(), Map.of()),
          known.sweepAge());
    }

    /** Of one that no sweep has planned: each window once, whatever its slices. */
    private static List<Reach> unplanned(RegisteredPipeline pipeline) {
      Instant first = pipeline.definition().extent().partitions().first().start();
      return List.of(new Reach(pipeline.id(), first, first, null, 1));
    }

    private static int unrowed(
        List<Reach> slices, Partitioning partitions, @Nullable Instant newest) {
      return newest == null
          ? 0
          : slices.stream().mapToInt(slice -> slice.unrowed(partitions, newest)).sum();
    }

    private static @Nullable Instant oldest(@Nullable Instant hole, Stream<Reach> unrowed) {
      return Stream.concat(Stream.ofNullable(hole), unrowed.map(Reach::through))
          .min(Comparator.naturalOrder())
          .orElse(null);
    }

    private static Duration closedFor(PipelineDefinition definition, Instant hole, Instant now) {
      Partitioning partitions = definition.extent().partitions();
      Instant closed =
          definition.extent().closure().closesAt(partitions.containing(hole), partitions.zone());
      return Duration.between(closed, now);
    }
  }
}
