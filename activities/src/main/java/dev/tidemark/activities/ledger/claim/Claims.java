package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.breaker.Breakers;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.DefinitionCache;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.Lags;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.ClaimResult;
import dev.tidemark.workflows.ledger.ClaimResult.LanePolicy;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The claim: one transaction, serialised per pipeline ("The ledger's rules"). */
public final class Claims {
  private final Database database;
  private final DefinitionCache definitions = new DefinitionCache();

  public Claims(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Takes claimable rows in the pipeline's order, within its limits and gates.
   *
   * @throws LedgerRefusal if the pipeline is not registered
   */
  public ClaimResult claim(ClaimRequest request) {
    return database.transaction(connection -> claim(connection, request));
  }

  private ClaimResult claim(Connection connection, ClaimRequest request) throws SQLException {
    ClaimOpening opening = ClaimOpening.open(connection, request, definitions);
    RegisteredPipeline pipeline = opening.pipeline();
    if (pipeline == null) {
      throw Definitions.unknown(connection, request.pipeline());
    }
    LanePolicy policy = policy(pipeline.definition());
    Instant now = request.now() == null ? opening.state().now() : request.now();
    Optional<Window> closed = pipeline.definition().extent().closedThrough(now);
    Limits limits = pipeline.definition().pace().limits();
    SweepWork ofSweep = SweepWork.of(connection, pipeline, request.sweep());
    if (!opening.held().isEmpty()
        || closed.isEmpty()
        || (ofSweep != null && ofSweep.isFull(limits))) {
      return new ClaimResult(opening.held(), policy);
    }
    // A sweep tries each once: what fails in it waits for the next one, however short its pause.
    Instant retriesUntil = request.scope() == Scope.ALL ? opening.state().sweptAt() : null;
    DueAt due = DueAt.of(pipeline, closed.get(), request.now(), retriesUntil);
    List<OpenBreaker> breakers = Breakers.closeAndList(connection, pipeline);
    ClaimBudget budget =
        new ClaimBudget(
            limits,
            LiveWork.of(
                    opening.live(),
                    ofSweep == null ? null : ofSweep.claimedByAccount(),
                    opening.backfills())
                .leaving(breakers),
            opening.backfills(),
            opening.state().servedLive(),
            request.want(),
            rotation(connection, pipeline));
    boolean live = !pipeline.paused();
    DueAt open = gated(connection, due, live, request.scope(), breakers);
    List<Candidate> chosen =
        choose(connection, open, opening.backfills(), budget, live, request.scope());
    if (chosen.isEmpty()) {
      return new ClaimResult(List.of(), policy);
    }
    List<Claim> claims = take(connection, request, due, now, chosen);
    noteServed(connection, pipeline, opening, budget, chosen);
    budget.rotation().remember(connection, pipeline.id());
    return new ClaimResult(claims, policy);
  }

  private static Rotation rotation(Connection connection, RegisteredPipeline pipeline)
      throws SQLException {
    PipelineDefinition definition = pipeline.definition();
    return definition.extent().account() == null
        ? Rotation.beginning(Accounts.DEFAULT)
        : Rotation.of(connection, pipeline.id(), definition.pace().sharing());
  }

  private static List<Candidate> choose(
      Connection connection,
      DueAt due,
      List<ActiveBackfill> backfills,
      ClaimBudget budget,
      boolean live,
      Scope scope)
      throws SQLException {
    if (due.stateful()) {
      List<ActiveBackfill> open =
          backfills.stream().filter(backfill -> budget.hasRoom(backfill.id())).toList();
      return budget.choose(
          ChainedCandidates.find(connection, due, open, budget.fullAccounts(), live, scope));
    }
    boolean derived = live && scope == Scope.ALL;
    return new Choosing(connection, due, budget, backfills, live, derived).choose();
  }

  /** Under late-first, of what was never made only that which need not wait for late data. */
  private static DueAt gated(
      Connection connection, DueAt due, boolean live, Scope scope, List<OpenBreaker> breakers)
      throws SQLException {
    boolean gated =
        live
            && scope == Scope.ALL
            && !due.stateful()
            && due.pipeline().definition().integration().strategy() == Strategy.LATE_FIRST;
    return gated ? LateGate.pass(connection, due, OpenBreaker.accounts(breakers)) : due;
  }

  /**
   * Takes the chosen rows, unless one has changed since it was read (then its xmin has): it comes
   * next time. Rows are locked in the order of their ids, and never waited for. Failures of a claim
   * that was cut off between two attempts stay and count on: else they would be forgotten each
   * time. Those of before a person's retry do not count any more. The limit is there for the
   * planner, as at a begin.
   */
  private static final Sql TAKE =
      Sql.of(
          """
          with chosen as (
            select l.id, c.class, c.reason, c.lag
              from (select *
                      from unnest(:ids::bigint[], :versions::text[], :classes::text[],
                                  :reasons::text[], :lags::integer[])
                             as c (id, version, class, reason, lag)
                     limit (select cardinality(:ids::bigint[]))) c
              join tidemark.partition_ledger l on l.id = c.id
             where l.xmin::text = c.version and l.claim_id is null
             order by l.id
               for update of l skip locked)
          update tidemark.partition_ledger l
             set claim_id = :request, claim_class = chosen.class,
                 claim_reason = case when chosen.reason <> 'requested' and l.failed_claims > 0
                                     then 'retry' else chosen.reason end,
                 claim_sweep = :sweep, claim_now = :now, claim_closed = :closed, claim_lag = chosen.lag,
                 claim_attempt = null, claimed_by = null,
                 failed_claims = case when l.retried_at is null then l.failed_claims else 0 end,
                 retried_at = null,
                 lease_until = clock_timestamp() + interval '90 seconds'
            from chosen
           where l.id = chosen.id
          returning l.id, l.partition, l.slice
          """);

  private static List<Claim> take(
      Connection connection, ClaimRequest request, DueAt due, Instant now, List<Candidate> chosen)
      throws SQLException {
    Lags lags = new Lags(due.pipeline().definition().extent().partitions(), due.closed());
    Limits limits = due.pipeline().definition().pace().limits();
    List<Claim> taken =
        TAKE.on(connection)
            .set("ids", chosen.stream().map(Candidate::id).toList())
            .set("versions", chosen.stream().map(Candidate::version).toList())
            .set("classes", chosen.stream().map(c -> c.live() ? "live" : "backfill").toList())
            .set("reasons", chosen.stream().map(c -> c.reason().code()).toList())
            .set("lags", chosen.stream().map(c -> lags.of(c.start())).toList())
            .set("request", request.requestId())
            .set("sweep", SweepWork.isCounted(limits) ? request.sweep() : null)
            .set("now", now)
            .set("closed", due.closed().start())
            .list(row -> ClaimOpening.claim(request, row));
    Map<Long, Claim> byRow = new HashMap<>();
    taken.forEach(claim -> byRow.put(claim.row(), claim));
    List<Claim> inOrder = new ArrayList<>();
    for (Candidate candidate : chosen) {
      Claim claim = byRow.get(candidate.id());
      if (claim != null) {
        inOrder.add(claim);
      }
    }
    return inOrder;
  }

  private static final Sql SERVED =
      Sql.of(
          """
          update tidemark.pipeline set served_last = :class
           where pipeline_id = :pipeline and served_last <> :class;
          update tidemark.backfill set state = 'running', ended_at = null
           where backfill_id = any(:backfills) and state in ('requested', 'failed')
          """);

  /** Remembers the class served last, where it decides, and that backfills run. */
  private static void noteServed(
      Connection connection,
      RegisteredPipeline pipeline,
      ClaimOpening opening,
      ClaimBudget budget,
      List<Candidate> chosen)
      throws SQLException {
    List<String> backfills =
        chosen.stream().flatMap(c -> c.backfills().stream()).distinct().toList();
    boolean alternates = pipeline.definition().pace().limits().parallel() == 1;
    if (backfills.isEmpty()
        && !(alternates && budget.servedLive() != opening.state().servedLive())) {
      return;
    }
    SERVED
        .on(connection)
        .set("class", budget.servedLive() ? "live" : "backfill")
        .set("pipeline", pipeline.id())
        .set("backfills", backfills)
        .results();
  }

  private static LanePolicy policy(PipelineDefinition definition) {
    Pace pace = definition.pace();
    return new LanePolicy(
        pace.limits().parallel(),
        definition.task().timeout().toSeconds(),
        pace.retry().attempts(),
        pace.retry().backoff().toMillis(),
        pace.retry().maxBackoff().toMillis(),
        definition.task() instanceof TaskSpec.Foreign);
  }

  /**
   * Begins a sweep: what has failed by now, and whose pause is over, may be tried again by it,
   * once. The one transaction that a sweep with nothing due costs.
   *
   * @return how many rows a claim could take now, counted up to {@code atMost}
   */
  public int beginSweep(
      RegisteredPipeline pipeline, Scope scope, @Nullable Instant now, int atMost) {
    return database.transaction(
        connection -> ClaimOutlook.beginSweep(connection, pipeline, scope, now, atMost));
  }

  /** What is left in a scope, and when to look again. */
  public Outlook outlook(RegisteredPipeline pipeline, Scope scope, @Nullable Instant now) {
    return outlook(pipeline, scope, now, null);
  }

  /**
   * What is left in a scope, and when to look again.
   *
   * @param atMost what is claimable is counted up to here; null for a hundred thousand
   */
  public Outlook outlook(
      RegisteredPipeline pipeline, Scope scope, @Nullable Instant now, @Nullable Integer atMost) {
    return database.transaction(
        connection -> ClaimOutlook.outlook(connection, pipeline, scope, now, atMost));
  }

  private static final Sql RELEASE_ALL =
      Sql.of(
          """
          with held as (
            select l.id, l.token, l.claim_attempt is not null and l.running_gen is not null as lost
              from tidemark.partition_ledger l
             where l.claim_id is not null
             order by l.id
               for update),
          ended as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'lost', error = 'its process ended'
              from held
             where held.lost and a.token = held.token and a.ended_at is null)
          update tidemark.partition_ledger l
             set claim_id = null, lease_until = null, claim_attempt = null,
                 lost = l.lost + held.lost::integer,
                 parked_at = case when l.lost + held.lost::integer >= 10
                                  then clock_timestamp() end
            from held
           where l.id = held.id
          """);

  /**
   * Releases every live claim of every pipeline at once, as lost. Only for an embedded ledger whose
   * other processes are known to be dead.
   *
   * @return how many
   */
  public int releaseAll() {
    return database.transaction(connection -> RELEASE_ALL.on(connection).update());
  }
}
