package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.breaker.Breakers;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Window;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What claims would find: the same candidates, without a limit of how many may run. */
final class ClaimOutlook {
  /** What is claimable is counted up to here; more is not told apart. */
  private static final int MOST_COUNTED = 100_000;

  private ClaimOutlook() {}

  private static final String BACKFILLS =
      """
      select backfill_id, newest_first
        from tidemark.backfill
       where pipeline_id = :pipeline and state in ('requested', 'running', 'failed')
      """;

  private static final Sql CONTEXT =
      Sql.of(
          """
          select clock_timestamp() as now, paused_at is not null as paused
            from tidemark.pipeline where pipeline_id = :pipeline;

          """
              + BACKFILLS);

  private static final Sql SWEEP_BEGINS =
      Sql.of(
          """
          update tidemark.pipeline
             set last_sweep_at = clock_timestamp()
           where pipeline_id = :pipeline
          returning clock_timestamp() as now, paused_at is not null as paused;

          """
              + BACKFILLS);

  static int beginSweep(
      Connection connection,
      RegisteredPipeline pipeline,
      Scope scope,
      @Nullable Instant now,
      int atMost)
      throws SQLException {
    return countDue(connection, SWEEP_BEGINS, pipeline, scope, now, atMost);
  }

  private static int countDue(
      Connection connection,
      Sql context,
      RegisteredPipeline pipeline,
      Scope scope,
      @Nullable Instant now,
      int atMost)
      throws SQLException {
    List<Instant> clock = new ArrayList<>();
    List<Boolean> paused = new ArrayList<>();
    List<ActiveBackfill> backfills = new ArrayList<>();
    context
        .on(connection)
        .set("pipeline", pipeline.id())
        .results(
            row -> {
              clock.add(row.instant("now"));
              paused.add(row.flag("paused"));
            },
            row ->
                backfills.add(
                    new ActiveBackfill(
                        row.text("backfill_id"), row.flagOrNull("newest_first"), null, 0)));
    Optional<Window> closed =
        clock.isEmpty()
            ? Optional.empty()
            : pipeline.definition().extent().closedThrough(now == null ? clock.get(0) : now);
    if (closed.isEmpty()) {
      return 0;
    }
    DueAt due = DueAt.of(pipeline, closed.get(), now, null);
    boolean live = !paused.get(0);
    // What an account that is left alone has due is not claimable.
    List<String> shut = OpenBreaker.shut(Breakers.list(connection, pipeline));
    if (due.stateful()) {
      var heads = ChainedCandidates.find(connection, due, backfills, shut, live, scope);
      return scope == Scope.ALL && live
          ? ChainedCandidates.count(connection, due, heads, atMost)
          : Math.min(heads.size(), atMost);
    }
    // What was asked for is not counted among what is due by itself.
    int asked =
        backfills.isEmpty() ? 0 : AskedCandidates.count(connection, due, backfills, shut, atMost);
    int derived =
        scope == Scope.ALL && live ? DerivedCandidates.count(connection, due, shut, atMost) : 0;
    return Math.min(asked + derived, atMost);
  }

  private static final Sql OUTLOOK =
      Sql.of(
          """
          select (select count(*) from tidemark.partition_ledger l
                   where l.pipeline_id = :pipeline and l.claim_id is not null
                     and (:all or l.asked)) as live,
                 (select count(*) from tidemark.partition_ledger l
                   where l.pipeline_id = :pipeline and l.next_attempt_at > clock_timestamp()
                     and l.claim_id is null and l.parked_at is null
                     and l.expected and l.excused_at is null and (:all or l.asked)) as waiting,
                 (select count(*) from tidemark.backfill_item i
                    join tidemark.backfill b using (backfill_id)
                   where b.pipeline_id = :pipeline and b.state in ('requested', 'running')
                     and i.state = 'requested') as open_requests,
                 least(
                   (select min(l.lease_until) from tidemark.partition_ledger l
                     where l.pipeline_id = :pipeline and l.claim_id is not null
                       and (:all or l.asked)),
                   (select min(l.next_attempt_at) from tidemark.partition_ledger l
                     where l.pipeline_id = :pipeline and l.next_attempt_at > clock_timestamp()
                       and l.claim_id is null and l.parked_at is null
                       and l.expected and l.excused_at is null and (:all or l.asked)),
                   (select min(b.until) from tidemark.breaker b
                     where b.pipeline_id = :pipeline and b.opened_at is not null
                       and b.closed_at is null and b.until > clock_timestamp()
                       and (:all or exists (
                             select from tidemark.partition_ledger l
                              where l.pipeline_id = :pipeline and l.open and l.asked
                                and l.account is not null
                                and l.account collate "C" = b.account)))) as wake_at
          """);

  static Outlook outlook(
      Connection connection,
      RegisteredPipeline pipeline,
      Scope scope,
      @Nullable Instant now,
      @Nullable Integer atMost)
      throws SQLException {
    int most = atMost == null ? MOST_COUNTED : Math.min(atMost, MOST_COUNTED);
    int claimable = countDue(connection, CONTEXT, pipeline, scope, now, most);
    return OUTLOOK
        .on(connection)
        .set("pipeline", pipeline.id())
        .set("all", scope == Scope.ALL)
        .list(
            row ->
                new Outlook(
                    claimable,
                    row.integer("live"),
                    row.integer("waiting"),
                    row.integer("open_requests"),
                    row.instantOrNull("wake_at")))
        .get(0);
  }
}
