package dev.tidemark.activities.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.payload.Payloads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The begin of an attempt, in one round trip. */
final class Beginning {
  private static final int ATTEMPTS_KEPT = 50;
  private static final int CLEANED_EVERY = 25;
  private static final ObjectMapper MAPPER = Payloads.mapper();

  private Beginning() {}

  /**
   * The row is locked by a statement of its own: what follows sees what was committed while it
   * waited, requests too. An earlier attempt that has not ended is superseded, and counts as lost;
   * the tenth parks the partition instead of beginning again.
   */
  private static final Sql BEGIN =
      Sql.of(
          """
          select id from tidemark.partition_ledger
           where id = :row and claim_id = :claim
             for update;

          with held as (
            select l.id, l.lost + (select count(*) from tidemark.attempt a
                                    where a.row_id = l.id and a.token = l.token
                                      and a.ended_at is null)::integer as lost
              from tidemark.partition_ledger l
             where l.id = :row and l.claim_id = :claim
               and (l.claim_attempt is null or l.claim_attempt < :attempt)),
          superseded as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'superseded'
              from held
             where a.row_id = held.id and a.ended_at is null),
          begun as (
            update tidemark.partition_ledger l
               set lost = held.lost,
                   claim_attempt = case when held.lost < 10 then :attempt end,
                   token = case when held.lost < 10 then nextval('tidemark.token') else l.token end,
                   running_gen = case when held.lost < 10
                                      then greatest(l.requested_gen, l.done_gen + 1) end,
                   attempts = l.attempts + (held.lost < 10)::integer,
                   claimed_by = :worker,
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
                    revision, definition)
            select begun.token, begun.id, begun.claim_id, :attempt, :worker, begun.running_gen,
                   begun.claim_closed, begun.claim_lag, p.revision, r.fingerprint
              from begun
              join tidemark.pipeline p using (pipeline_id)
              join tidemark.revision r on r.pipeline_id = p.pipeline_id and r.revision = p.revision
             where begun.claim_id is not null
            returning began_at)
          select begun.token, begun.claim_id is null as parked, begun.slice, begun.partition,
                 begun.window_start, begun.window_end, begun.claim_closed, begun.committed_token,
                 nullif(begun.input_version, '') as input_version, begun.attempts, begun.lost,
                 (select began_at from inserted) as began_at,
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
                   order by a.token desc
                   limit 1) as intent
            from begun
            join tidemark.pipeline p using (pipeline_id)
            join tidemark.revision r on r.pipeline_id = p.pipeline_id and r.revision = p.revision
          """);

  static Begin begin(
      Connection connection, DefinitionCache definitions, Claim claim, int attempt, String worker)
      throws SQLException {
    List<Begin> begun = new ArrayList<>();
    List<Integer> attempts = new ArrayList<>();
    BEGIN
        .on(connection)
        .set("row", claim.row())
        .set("claim", claim.claimId())
        .set("attempt", attempt)
        .set("worker", worker)
        .results(
            locked -> {},
            row -> {
              begun.add(begun(connection, definitions, attempt, row));
              attempts.add(row.integer("attempts"));
            });
    if (begun.isEmpty()) {
      return ClaimEnd.of(connection, claim);
    }
    if (attempts.get(0) % CLEANED_EVERY == 0) {
      forgetOld(connection, claim.row());
    }
    return begun.get(0);
  }

  private static Begin begun(
      Connection connection, DefinitionCache definitions, int attempt, Row row)
      throws SQLException {
    if (row.flag("parked")) {
      return new Begin.Ended(
          new PartitionOutcome(
              PartitionOutcome.Kind.PARKED,
              row.integer("lost") + " attempts vanished without a word; it waits for a person"));
    }
    return new Begin.Begun(
        row.number("token"),
        definitions.complete(connection, DefinitionCache.Key.of(row)),
        new Window(row.text("partition"), row.instant("window_start"), row.instant("window_end")),
        Slice.parse(row.text("slice")),
        params(row.textOrNull("params")),
        new Begin.Context(
            attempt,
            row.instant("began_at"),
            row.instantOrNull("claim_closed"),
            row.numberOrNull("committed_token"),
            row.textOrNull("input_version"),
            row.textOrNull("intent")));
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

  private static void forgetOld(Connection connection, long row) throws SQLException {
    FORGET_OLD.on(connection).set("row", row).set("kept", ATTEMPTS_KEPT - 1).update();
  }
}
