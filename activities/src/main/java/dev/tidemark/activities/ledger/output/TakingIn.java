package dev.tidemark.activities.ledger.output;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Lags;
import dev.tidemark.activities.ledger.definition.Predecessors;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Writes down commits that are in the store and not in the ledger: the outputs win (A15). */
public final class TakingIn {
  private final Database database;

  public TakingIn(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Others draw tokens meanwhile, and a sequence that is set must not fall behind what they drew:
   * hence the distance. Who else sets it waits for the lock, by a statement of its own, so that it
   * sees what was set before it.
   */
  private static final Sql RAISE =
      Sql.of(
          """
          select pg_advisory_xact_lock(hashtext('tidemark.token'));

          select setval('tidemark.token', :token + 1000)
            from tidemark.token
           where last_value < :token
          """);

  /**
   * Raises the tokens above one that was found: they grow for ever, whatever became of a ledger.
   */
  public void raise(long token) {
    raise(database, token);
  }

  public static void raise(Database database, long token) {
    database.roundTrip(
        connection -> {
          RAISE.on(connection).set("token", token).results(locked -> {}, raised -> {});
          return token;
        });
  }

  /**
   * A row that anything was written to since it was read is left for the next sweep, unless the one
   * who takes in holds its claim. What an attempt recorded to publish, and is not committed, is for
   * the next begin to settle or to run again. Without an observation of the inputs, what the commit
   * was made from is all that is known of them, so that it is not late; nor does one that names no
   * predecessor wait for another.
   */
  private static final Sql TAKE_IN =
      Sql.of(
          """
          select pg_advisory_xact_lock_shared(hashtext('tidemark.chain'), :pipeline);

          with found as (
            select f.*, coalesce(f.token, nextval('tidemark.token')) as new_token
              from unnest(:ids::bigint[], :versions::text[], :tokens::bigint[], :inputs::text[],
                          :seen::timestamptz[], :made::timestamptz[], :closed::timestamptz[],
                          :lags::integer[], :predecessors::bigint[], :revisions::integer[],
                          :definitions::text[], :outputs::text[], :contents::text[],
                          :rows::bigint[], :bytes::bigint[], :files::integer[])
                   as f (id, version, token, input, seen, made, closed, lag, predecessor, revision,
                         definition, output, content, rows, bytes, files)
              join tidemark.partition_ledger l on l.id = f.id
             where (l.claim_id is null and l.xmin::text = f.version
                 and not exists (
                       select from tidemark.attempt a
                        where a.row_id = l.id and a.intent is not null
                          and a.token >= coalesce(f.token, 0)
                          and a.token > coalesce(l.committed_token, 0)))
                or (l.claim_id = :claim and l.token = f.token)
             order by l.id
               for update of l skip locked),
          taken as (
            update tidemark.partition_ledger l
               set committed_token = found.new_token,
                   committed_at = coalesce(found.made, clock_timestamp()),
                   processed_version = found.input,
                   processed_seen_at =
                     case when found.input = l.input_version then l.input_seen_at
                          when found.input is not null then coalesce(found.seen, clock_timestamp())
                     end,
                   input_version = case when l.input_observed_at is null and found.input is not null
                     then found.input else l.input_version end,
                   input_seen_at = case when l.input_observed_at is null and found.input is not null
                       and l.input_version is distinct from found.input
                     then coalesce(found.seen, clock_timestamp()) else l.input_seen_at end,
                   closed_through = found.closed, closed_lag = found.lag,
                   predecessor = found.predecessor, skipped_at = null,
                   revision = found.revision, definition = found.definition,
                   output = found.output, content = found.content, rows = found.rows,
                   bytes = found.bytes, files = found.files, output_lost_at = null,
                   done_gen = greatest(l.done_gen, coalesce(l.running_gen, 0)), running_gen = null,
                   failures = 0, failed_claims = 0, failed_version = null, lost = 0,
                   parked_at = null, next_attempt_at = null, next_attempt_now = null,
                   last_error = null,
                   claim_id = null, lease_until = null, claim_attempt = null
              from found
             where l.id = found.id
            returning l.id, l.done_gen, l.committed_token),
          completed as (
            update tidemark.backfill_item i
               set state = 'completed'
              from taken
             where i.row_id = taken.id and i.state = 'requested' and i.wanted_gen <= taken.done_gen),
          ended as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'committed'
              from taken
             where a.token = taken.committed_token and a.ended_at is null)
          select id from taken;

          """
              + Predecessors.LINK);

  /**
   * Takes commits in.
   *
   * @param claim that the one who takes in holds, null for none
   * @return how many were; a row that was written to meanwhile is not
   */
  public int takeIn(RegisteredPipeline pipeline, List<TakenIn> found, @Nullable String claim) {
    if (found.isEmpty()) {
      return 0;
    }
    found.stream()
        .map(TakenIn::token)
        .filter(token -> token != null)
        .max(Long::compare)
        .ifPresent(this::raise);
    return database.roundTrip(connection -> takeIn(connection, pipeline, found, claim)).size();
  }

  private static List<Long> takeIn(
      Connection connection,
      RegisteredPipeline pipeline,
      List<TakenIn> found,
      @Nullable String claim)
      throws SQLException {
    List<Long> taken = new ArrayList<>();
    TAKE_IN
        .on(connection)
        .set("pipeline", pipeline.id())
        .set("claim", claim)
        .set("ids", each(found, one -> one.row().id()))
        .set("versions", each(found, one -> one.row().version()))
        .set("tokens", each(found, TakenIn::token))
        .set("inputs", each(found, one -> one.versions().input()))
        .set("seen", each(found, one -> one.versions().seen()))
        .set("made", each(found, one -> one.made().at()))
        .set("closed", each(found, one -> one.made().closedThrough()))
        .set("lags", each(found, one -> lag(pipeline, one)))
        .set("predecessors", each(found, one -> one.made().predecessor()))
        .set("revisions", each(found, one -> one.made().revision()))
        .set("definitions", each(found, one -> one.made().definition()))
        .set("outputs", each(found, TakenIn::output))
        .set("contents", each(found, one -> one.size().content()))
        .set("rows", each(found, one -> one.size().rows()))
        .set("bytes", each(found, one -> one.size().bytes()))
        .set("files", each(found, one -> one.size().files()))
        .results(locked -> {}, row -> taken.add(row.number("id")));
    return taken;
  }

  private static List<@Nullable Object> each(
      List<TakenIn> found, Function<TakenIn, @Nullable Object> fact) {
    List<@Nullable Object> facts = new ArrayList<>(found.size());
    found.forEach(one -> facts.add(fact.apply(one)));
    return facts;
  }

  private static @Nullable Integer lag(RegisteredPipeline pipeline, TakenIn found) {
    Instant closed = found.made().closedThrough();
    if (closed == null) {
      return null;
    }
    Partitioning partitions = pipeline.definition().extent().partitions();
    return new Lags(partitions, partitions.containing(closed)).of(found.row().window().start());
  }
}
