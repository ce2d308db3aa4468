package dev.tidemark.activities.ledger.attempt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.ledger.attempt.GroupedWrites.Patience;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.DefinitionCache;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.payload.Payloads;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The begin of attempts: those of the same moment in one round trip. */
final class Beginning {
  private static final int ATTEMPTS_KEPT = 50;
  private static final int CLEANED_EVERY = 25;
  private static final ObjectMapper MAPPER = Payloads.mapper();

  private final Database database;
  private final DefinitionCache definitions;
  private final GroupedWrites<Request, Answer> writes =
      new GroupedWrites<>(request -> request.claim().row(), this::write);

  Beginning(Database database, DefinitionCache definitions) {
    this.database = database;
    this.definitions = definitions;
  }

  /**
   * The rows are locked by a statement of its own, in the order of their ids: what follows sees
   * what was committed while it waited, requests too. An earlier attempt that has not ended is
   * superseded, and counts as lost; the tenth parks the partition instead of beginning again.
   *
   * <p>The limit limits nothing. Because of it the planner expects a single row, whatever the size
   * of the group: it looks rows up by their keys, in a small table too. That plan is kept: to plan
   * anew for each group would cost as much as to run it.
   */
  private static final Sql BEGIN =
      Sql.of(
          """
          select set_config('lock_timeout', :lock_timeout, true),
                 set_config('plan_cache_mode', 'force_generic_plan', true);

          select l.id
            from (select * from unnest(:rows::bigint[], :claims::text[]) as r (id, claim)
                   limit (select cardinality(:rows::bigint[]))) r
            join tidemark.partition_ledger l on l.id = r.id and l.claim_id = r.claim
           order by l.id
             for update of l;

          with held as (
            select l.id, r.attempt, r.worker,
                   l.lost + (select count(*) from tidemark.attempt a
                              where a.row_id = l.id and a.token = l.token
                                and a.ended_at is null)::integer as lost
              from (select *
                      from unnest(:rows::bigint[], :claims::text[], :attempts::integer[],
                                  :workers::text[]) as r (id, claim, attempt, worker)
                     limit (select cardinality(:rows::bigint[]))) r
              join tidemark.partition_ledger l on l.id = r.id and l.claim_id = r.claim
             where l.claim_attempt is null or l.claim_attempt < r.attempt),
          superseded as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'superseded'
              from held
             where a.row_id = held.id and a.ended_at is null),
          begun as (
            update tidemark.partition_ledger l
               set lost = held.lost,
                   claim_attempt = case when held.lost < 10 then held.attempt end,
                   token = case when held.lost < 10 then nextval('tidemark.token') else l.token end,
                   running_gen = case when held.lost < 10
                                      then greatest(l.requested_gen, l.done_gen + 1) end,
                   attempts = l.attempts + (held.lost < 10)::integer,
                   predecessor_now = case when l.predecessor_now is not null
                     then tidemark.predecessor_token(l.pipeline_id, l.slice, l.window_start) end,
                   claimed_by = held.worker,
                   parked_at = case when held.lost >= 10 then clock_timestamp() end,
                   claim_id = case when held.lost < 10 then l.claim_id end,
                   lease_until = case when held.lost < 10
                                      then clock_timestamp() + interval '60 seconds' end
              from held
             where l.id = held.id
            returning l.*),
          inserted as (
            insert into tidemark.attempt
                   (token, row_id, claim_id, attempt, claimed_by, gen, closed_through, closed_lag,
                    revision, definition, predecessor)
            select begun.token, begun.id, begun.claim_id, begun.claim_attempt, begun.claimed_by,
                   begun.running_gen, begun.claim_closed, begun.claim_lag, p.revision, r.fingerprint,
                   begun.predecessor_now
              from begun
              join tidemark.pipeline p using (pipeline_id)
              join tidemark.revision r on r.pipeline_id = p.pipeline_id and r.revision = p.revision
             where begun.claim_id is not null
            returning token, began_at)
          select begun.id, begun.token, begun.claim_id is null as parked, begun.claim_attempt,
                 begun.slice, begun.partition, begun.window_start, begun.window_end,
                 begun.claim_now, begun.claim_closed,
                 nullif(begun.predecessor_now, 0) as predecessor,
                 nullif(begun.input_version, '') as input_version, begun.attempts, begun.lost,
                 inserted.began_at,
                 p.pipeline_id, p.revision, r.fingerprint, p.paused_at is not null as paused,
                 p.lookback_floor,
                 (select b.params::text
                    from tidemark.backfill_item i
                    join tidemark.backfill b using (backfill_id)
                   where i.row_id = begun.id and i.state = 'requested'
                     and b.state in ('requested', 'running', 'failed')
                     and i.wanted_gen <= begun.running_gen
                   order by i.wanted_gen desc, b.params = '{}', b.requested_at
                   limit 1) as params,
                 (select a.intent::text
                    from tidemark.attempt a
                   where a.row_id = begun.id and a.token > coalesce(begun.committed_token, 0)
                     and a.intent is not null
                    -- A commit is settled as it stands only if it delivers what this attempt would.
                    and a.gen >= begun.running_gen and a.definition = r.fingerprint
                    and a.closed_through is not distinct from begun.claim_closed
                    and a.predecessor is not distinct from begun.predecessor_now
                   order by a.token desc
                   limit 1) as intent
            from begun
            join tidemark.pipeline p using (pipeline_id)
            join tidemark.revision r on r.pipeline_id = p.pipeline_id and r.revision = p.revision
            left join inserted on inserted.token = begun.token
          """);

  private List<Answer> write(List<Request> requests, Patience patience) {
    Map<Long, Answer> answers =
        database.roundTrip(
            connection -> {
              Map<Long, Answer> byRow = new HashMap<>();
              BEGIN
                  .on(connection)
                  .set("lock_timeout", patience.lockTimeout())
                  .set("rows", requests.stream().map(request -> request.claim().row()).toList())
                  .set(
                      "claims",
                      requests.stream().map(request -> request.claim().claimId()).toList())
                  .set("attempts", requests.stream().map(Request::attempt).toList())
                  .set("workers", requests.stream().map(Request::worker).toList())
                  .results(
                      set -> {}, locked -> {}, row -> byRow.put(row.number("id"), answer(row)));
              return byRow;
            });
    return requests.stream()
        .map(request -> answers.getOrDefault(request.claim().row(), Answer.NOT_HELD))
        .toList();
  }

  private static Answer answer(Row row) throws SQLException {
    if (row.flag("parked")) {
      return new Answer.Parked(row.integer("lost"));
    }
    return new Answer.Started(
        DefinitionCache.Key.of(row),
        row.number("token"),
        row.integer("attempts"),
        new Window(row.text("partition"), row.instant("window_start"), row.instant("window_end")),
        row.text("slice"),
        row.textOrNull("params"),
        new Begin.Context(
            row.integer("claim_attempt"),
            row.instant("began_at"),
            row.instant("claim_now"),
            row.instantOrNull("claim_closed"),
            row.textOrNull("input_version"),
            row.numberOrNull("predecessor"),
            row.textOrNull("intent")));
  }

  /**
   * @param attempt Temporal's number of the attempt
   */
  Begin begin(Claim claim, int attempt, String worker) {
    Answer answer = writes.submit(new Request(claim, attempt, worker));
    if (answer instanceof Answer.Started started) {
      if (started.attempts() % CLEANED_EVERY == 0) {
        forgetOld(claim.row());
      }
      return begun(started);
    }
    if (answer instanceof Answer.Parked parked) {
      return new Begin.Ended(
          new PartitionOutcome(
              PartitionOutcome.Kind.PARKED,
              parked.lost() + " attempts vanished without a word; it waits for a person"));
    }
    return database.roundTrip(connection -> ClaimEnd.of(connection, claim));
  }

  private Begin begun(Answer.Started started) {
    DefinitionCache.Key key = started.pipeline();
    return new Begin.Begun(
        started.token(),
        definitions
            .known(key)
            .orElseGet(
                () -> database.roundTrip(connection -> definitions.complete(connection, key))),
        started.window(),
        Slice.parse(started.slice()),
        params(started.params()),
        started.context());
  }

  private static Map<String, String> params(@Nullable String json) {
    if (json == null) {
      return Map.of();
    }
    try {
      return MAPPER.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the parameters of a backfill are not texts: " + json, e);
    }
  }

  private static final Sql FORGET_OLD =
      Sql.of(
          """
          delete from tidemark.attempt
           where row_id = :row
             and token < (select token from tidemark.attempt
                           where row_id = :row order by token desc offset :kept limit 1)
          """);

  private void forgetOld(long row) {
    database.roundTrip(
        connection ->
            FORGET_OLD.on(connection).set("row", row).set("kept", ATTEMPTS_KEPT - 1).update());
  }

  private record Request(Claim claim, int attempt, String worker) {}

  /** What the ledger made of one request. */
  private sealed interface Answer {
    Answer NOT_HELD = new NotHeld();

    /** The claim has ended, or a later attempt has begun. */
    record NotHeld() implements Answer {}

    /** Too many attempts were lost. */
    record Parked(int lost) implements Answer {}

    /** It has begun. */
    record Started(
        DefinitionCache.Key pipeline,
        long token,
        int attempts,
        Window window,
        String slice,
        @Nullable String params,
        Begin.Context context)
        implements Answer {}
  }
}
