package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.DefinitionCache;
import dev.tidemark.activities.ledger.definition.PinnedColumns;
import dev.tidemark.activities.ledger.output.TakingIn;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Begin, renew and settle: each by token, so that only the newest attempt can do anything. */
public final class Attempts {
  private final Database database;
  private final DefinitionCache definitions = new DefinitionCache();
  private final Beginning beginning;
  private final Committing committing;

  public Attempts(DataSource dataSource) {
    this.database = new Database(dataSource);
    this.beginning = new Beginning(database, definitions);
    this.committing = new Committing(database);
  }

  /**
   * An attempt's first act: a new, larger token, unless a later attempt has begun.
   *
   * @param attempt Temporal's number of the attempt
   * @param worker who runs it, for people
   */
  public Begin begin(Claim claim, int attempt, String worker) {
    return beginning.begin(claim, attempt, worker);
  }

  /** Why an export with these columns may not be published, if so. */
  public Optional<String> refusedColumns(Begun begun) {
    return database.roundTrip(connection -> PinnedColumns.refusal(connection, begun.pipeline()));
  }

  /**
   * A version is empty text where it was looked at and there was none. First seen now, unless the
   * row knows it already.
   */
  private static final Sql OBSERVED =
      Sql.of(
          """
          select id from tidemark.partition_ledger
           where id = (select row_id from tidemark.attempt where token = :token)
             for update;

          with seen as (
            update tidemark.attempt a
               set input_version = coalesce(:version, ''),
                   input_seen_at =
                     case when l.input_version = coalesce(:version, '') then l.input_seen_at
                          when l.processed_version = coalesce(:version, '') then l.processed_seen_at
                          else :read_at end
              from tidemark.partition_ledger l
             where a.token = :token and l.id = a.row_id
            returning a.row_id, a.input_version, a.input_seen_at)
          update tidemark.partition_ledger l
             set input_version = seen.input_version, input_seen_at = seen.input_seen_at,
                 input_observed_at = :read_at
            from seen
           where l.id = seen.row_id and l.token = :token
             and (l.input_observed_at is null or l.input_observed_at < :read_at)
          """);

  /**
   * Records the version that the attempt read. Also an observation of the row, unless a newer
   * exists.
   *
   * @param readAt database's clock, before the reading
   */
  public void observed(long token, @Nullable String version, Instant readAt) {
    database.roundTrip(
        connection ->
            OBSERVED
                .on(connection)
                .set("token", token)
                .set("version", version == null ? "" : version)
                .set("read_at", readAt)
                .list(row -> row.number("id")));
  }

  /** Of one token, for which PostgreSQL keeps its plan; for a list it would plan anew. */
  private static final Sql HOLDS =
      Sql.of(
          """
          select a.token
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
           where a.token = :token and l.token = a.token
             and (l.claim_id is null or l.claim_id = a.claim_id)
             and (a.ended_at is null or a.outcome = 'lost')
          """);

  /**
   * Whether the token is still the newest of its row, and the row's claim is not given to another.
   */
  public boolean holds(long token) {
    return database.roundTrip(
        connection ->
            HOLDS.on(connection).set("token", token).first(row -> row.number("token")).isPresent());
  }

  private static final Sql HELD =
      Sql.of(
          """
          select a.token
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
           where a.token = any(:tokens::bigint[]) and l.token = a.token
             and (l.claim_id is null or l.claim_id = a.claim_id)
             and (a.ended_at is null or a.outcome = 'lost')
          """);

  /** Those of the tokens that are still the newest of their rows, and hold their claims. */
  public List<Long> held(List<Long> tokens) {
    return database.roundTrip(
        connection -> HELD.on(connection).set("tokens", tokens).list(row -> row.number("token")));
  }

  /**
   * The row is locked, so that a later attempt's begin comes before, and this one is refused, or
   * after, and finds the intent. That is all that the first commit of a row needs of it: nothing
   * that a crash of the database could lose would be missed, since what such an attempt leaves is
   * made again, and the commit itself makes the intent last. So its disk is not waited for, unless
   * there is a commit whose marker is removed next, or there are uploads that nothing else tells
   * of.
   */
  private static final Sql INTEND =
      Sql.of(
          """
          with held as (
            select l.committed_token
              from tidemark.attempt a
              join tidemark.partition_ledger l on l.id = a.row_id
             where a.token = :token and l.token = a.token
               for update of l)
          update tidemark.attempt a
             set intent = :intent::jsonb
            from held
           where a.token = :token and (a.ended_at is null or a.outcome = 'lost')
          returning a.token,
                    case when held.committed_token is null and a.intent -> 'uploads' = '[]'
                         then set_config('synchronous_commit', 'off', true) end
          """);

  /**
   * Records what the attempt is about to publish, if its token is still the newest.
   *
   * @return false if it is not
   */
  public boolean intend(long token, String intent) {
    return database.roundTrip(
        connection ->
            INTEND
                .on(connection)
                .set("token", token)
                .set("intent", intent)
                .first(row -> row.number("token"))
                .isPresent());
  }

  private static final Sql EARLIER_INTENTS =
      Sql.of(
          """
          select earlier.intent::text as intent
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
            join tidemark.attempt earlier on earlier.row_id = a.row_id and earlier.token < a.token
           where a.token = :token and earlier.intent is not null
             and earlier.token > coalesce(l.committed_token, 0)
           order by earlier.token desc
           limit 50
          """);

  /**
   * What attempts of the row before this one, and after the last commit, were about to publish,
   * newest first; at most 50. The commit took away what those before it had staged.
   */
  public List<String> earlierIntents(long token) {
    return database.roundTrip(
        connection ->
            EARLIER_INTENTS.on(connection).set("token", token).list(row -> row.text("intent")));
  }

  /** What the last commit of the attempt's row made; empty before the first. */
  public Optional<PreviousCommit> previousCommit(long token) {
    return database.roundTrip(connection -> PreviousCommit.of(connection, token));
  }

  /** Raises the tokens above one that was found in a store ({@link TakingIn#raise}). */
  public void raise(long token) {
    TakingIn.raise(database, token);
  }

  /** Settles a commit, if the token is still the newest. */
  public Settlement commit(long token, Committed committed, @Nullable String log) {
    return committing.commit(token, committed, Bounded.log(log));
  }

  /** Settles a failure, if the token is still the newest. */
  public Settlement fail(long token, FailureKind kind, String error, @Nullable String log) {
    Settling.Failed failed =
        database.transaction(
            connection ->
                Settling.fail(
                    connection, definitions, token, kind, Bounded.error(error), Bounded.log(log)));
    failed.alert();
    return failed.settlement();
  }

  /**
   * Rows are locked in the order of their ids, as everywhere. An attempt whose lease has passed and
   * whose row nobody took goes on, and can still settle; its row may be claimed at any time.
   */
  private static final Sql RENEW =
      Sql.of(
          """
          with held as (
            select l.id, a.token
              from tidemark.attempt a
              join tidemark.partition_ledger l on l.id = a.row_id
             where a.token = any(:tokens::bigint[]) and l.token = a.token
               and (l.claim_id is null or l.claim_id = a.claim_id)
               and (a.ended_at is null or a.outcome = 'lost')
             order by l.id
               for update of l),
          renewed as (
            update tidemark.partition_ledger l
               set lease_until =
                     greatest(l.lease_until, clock_timestamp() + interval '60 seconds')
              from held
             where l.id = held.id and l.claim_id is not null)
          select token from held
          """);

  /** Extends the leases of these attempts, in one statement. Returns those still held. */
  public Set<Long> renew(Collection<Long> tokens) {
    if (tokens.isEmpty()) {
      return Set.of();
    }
    return database.roundTrip(
        connection ->
            Set.copyOf(
                RENEW
                    .on(connection)
                    .set("tokens", List.copyOf(tokens))
                    .list(row -> row.number("token"))));
  }

  private static final Sql LEASE =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set lease_until = clock_timestamp() + :millis * interval '1 millisecond'
            from tidemark.attempt a
           where a.token = :token and l.id = a.row_id and l.token = a.token
             and l.claim_id = a.claim_id
          """);

  /** Holds the claim for so long from now on, for a task that nobody here can renew it for. */
  public void lease(long token, Duration duration) {
    database.roundTrip(
        connection ->
            LEASE.on(connection).set("token", token).set("millis", duration.toMillis()).update());
  }

  /** What began as this token, if that is still the newest: for whoever goes on with it. */
  public Optional<Begun> resume(long token) {
    return database.roundTrip(connection -> Resuming.begun(connection, definitions, token));
  }

  /**
   * Ends a claim for which Temporal reported a timeout: counts a lost attempt, or gives back a
   * claim that never began.
   */
  public PartitionOutcome settleTimeout(Claim claim, String error) {
    return database.transaction(
        connection -> TimedOutClaim.settle(connection, claim, Bounded.error(error)));
  }

  /**
   * What a commit made; null where not known.
   *
   * @param files how many parts have its token in their names
   * @param token of the earlier attempt that published it; null where this one did
   */
  public record Committed(
      @Nullable String output,
      @Nullable String content,
      @Nullable Long rows,
      @Nullable Long bytes,
      @Nullable Integer files,
      @Nullable Long token) {
    /** Of a task that owns what it makes. */
    public Committed(
        @Nullable String output,
        @Nullable String content,
        @Nullable Long rows,
        @Nullable Long bytes) {
      this(output, content, rows, bytes, null, null);
    }
  }

  /** How an attempt failed. */
  public enum FailureKind {
    /** Worth another attempt. */
    ERROR,
    /** The data is bad (exit code 65): parked at once. */
    BAD_DATA,
    /** Not ready (exit code 75): again after then-after, nothing spent. */
    NOT_READY,
    /** No worker of another SDK took it: as {@link #NOT_READY}, and it is the row's last error. */
    NO_WORKER,
    /**
     * The place of its output refuses it, and will until a person changes something there: as
     * {@link #NO_WORKER}, and the account of the row comes nearer to being left alone.
     */
    NO_DESTINATION,
    /** The worker shuts down, or the claim is somebody else's: given back, nothing spent. */
    RELEASED,
    /**
     * The worker cannot run the registered task: given back, nothing spent, and left alone for a
     * moment, since the same worker may be the one to claim it again.
     */
    UNFIT_WORKER
  }
}
