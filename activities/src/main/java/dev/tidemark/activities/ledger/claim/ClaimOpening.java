package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.DefinitionCache;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a claim starts from, read in one round trip under the pipeline's lock.
 *
 * @param pipeline null where none of that name is registered
 * @param held what an earlier sending of the same request still holds
 * @param state of the pipeline itself
 */
record ClaimOpening(
    @Nullable RegisteredPipeline pipeline,
    List<Claim> held,
    List<LiveWork.Group> live,
    List<ActiveBackfill> backfills,
    State state) {

  /**
   * What the pipeline's own row says.
   *
   * @param now database's clock
   * @param servedLive whether the class served last was live work
   * @param sweptAt when the newest sweep began; null before the first
   */
  record State(Instant now, boolean servedLive, @Nullable Instant sweptAt) {
    private static final State NONE = new State(Instant.EPOCH, false, null);
  }

  /**
   * The lock comes first, in a statement of its own: what follows sees what was committed while it
   * waited. A claim whose lease has passed is taken back; one that had begun and not settled is a
   * lost attempt, the tenth parks its partition. A row that is being settled or renewed at this
   * very moment is not dead: it is skipped. What was asked for and cannot run is no longer asked
   * for.
   */
  private static final Sql OPEN =
      Sql.of(
          """
          select pg_advisory_xact_lock(hashtext('tidemark.claim'), hashtext(:name));

          with expired as (
            select l.id, l.token, l.claim_attempt is not null and l.running_gen is not null as lost
              from tidemark.partition_ledger l
             where l.pipeline_id = (select pipeline_id from tidemark.pipeline where name = :name)
               and l.claim_id is not null and l.lease_until < clock_timestamp()
             order by l.id
               for update skip locked),
          ended as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'lost', error = 'its lease expired'
              from expired
             where expired.lost and a.token = expired.token and a.ended_at is null)
          update tidemark.partition_ledger l
             set claim_id = null, lease_until = null, claim_attempt = null,
                 lost = l.lost + expired.lost::integer,
                 parked_at = case when l.lost + expired.lost::integer >= 10
                                  then clock_timestamp() end,
                 last_error = case when expired.lost then 'its lease expired'
                                   else l.last_error end
            from expired
           where l.id = expired.id;

          select p.pipeline_id, p.revision, r.fingerprint, p.paused_at is not null as paused,
                 p.lookback_floor, p.served_last = 'live' as served_live, clock_timestamp() as now,
                 p.last_sweep_at
            from tidemark.pipeline p
            join tidemark.revision r using (pipeline_id, revision)
           where p.name = :name;

          select l.id, l.partition, l.slice
            from tidemark.partition_ledger l
            join tidemark.pipeline p using (pipeline_id)
           where p.name = :name and l.claim_id = :request
           order by l.id;

          select l.claim_class = 'live' as live, l.account, count(*) as count
            from tidemark.partition_ledger l
           where l.pipeline_id = (select pipeline_id from tidemark.pipeline where name = :name)
             and l.claim_id is not null
           group by 1, 2;

          select b.backfill_id, b.newest_first, b.parallel,
                 case when b.parallel is null then 0 else (
                   select count(*) from tidemark.partition_ledger l
                     join tidemark.backfill_item i on i.row_id = l.id and i.state = 'requested'
                    where l.pipeline_id = b.pipeline_id and l.claim_id is not null
                      and i.backfill_id = b.backfill_id) end as live
            from tidemark.backfill b
           where b.pipeline_id = (select pipeline_id from tidemark.pipeline where name = :name)
             and b.state in ('requested', 'running', 'failed')
           order by b.requested_at, b.backfill_id
          """);

  static ClaimOpening open(Connection connection, ClaimRequest request, DefinitionCache definitions)
      throws SQLException {
    List<Opened> opened = new ArrayList<>();
    List<Claim> held = new ArrayList<>();
    List<LiveWork.Group> live = new ArrayList<>();
    List<ActiveBackfill> backfills = new ArrayList<>();
    OPEN.on(connection)
        .set("name", request.pipeline())
        .set("request", request.requestId())
        .results(
            lock -> {},
            row -> opened.add(opened(row)),
            row -> held.add(claim(request, row)),
            row -> live.add(group(row)),
            row -> backfills.add(backfill(row)));
    if (opened.isEmpty()) {
      return new ClaimOpening(null, held, live, backfills, State.NONE);
    }
    Opened found = opened.get(0);
    return new ClaimOpening(
        definitions.complete(connection, found.pipeline()), held, live, backfills, found.state());
  }

  static Claim claim(ClaimRequest request, Row row) throws SQLException {
    return new Claim(
        request.requestId(),
        row.number("id"),
        request.pipeline(),
        row.text("partition"),
        row.text("slice"),
        request.now() != null);
  }

  private static Opened opened(Row row) throws SQLException {
    return new Opened(
        DefinitionCache.Key.of(row),
        new State(row.instant("now"), row.flag("served_live"), row.instantOrNull("last_sweep_at")));
  }

  private static LiveWork.Group group(Row row) throws SQLException {
    return new LiveWork.Group(row.flag("live"), row.textOrNull("account"), row.integer("count"));
  }

  private static ActiveBackfill backfill(Row row) throws SQLException {
    Long parallel = row.numberOrNull("parallel");
    return new ActiveBackfill(
        row.text("backfill_id"),
        row.flagOrNull("newest_first"),
        parallel == null ? null : Math.toIntExact(parallel),
        row.integer("live"));
  }

  private record Opened(DefinitionCache.Key pipeline, State state) {}
}
