package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.breaker.Breakers;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.DefinitionCache;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settle of an attempt that failed, or that is not the newest any more. */
final class Settling {
  private Settling() {}

  private static final Sql REFUSED =
      Sql.of(
          """
          with mine as (
            select a.token, a.outcome, a.error, l.token = a.token as newest
              from tidemark.attempt a
              join tidemark.partition_ledger l on l.id = a.row_id
             where a.token = :token),
          ended as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'superseded'
              from mine
             where a.token = mine.token and a.ended_at is null and not mine.newest)
          select outcome, error from mine
          """);

  /** Nothing was written. A settle that was sent twice gets its first answer. */
  static Settlement refused(Connection connection, long token) throws SQLException {
    return new Settlement.Ended(
        REFUSED
            .on(connection)
            .set("token", token)
            .first(
                row -> {
                  String outcome = row.textOrNull("outcome");
                  return outcome == null
                      ? ClaimEnd.released("a later attempt has begun")
                      : ClaimEnd.outcome(outcome, row.textOrNull("error"));
                })
            .orElseGet(() -> ClaimEnd.released("no attempt has this token")));
  }

  private static final Sql LOCK_ROW =
      Sql.of(
          """
          select id from tidemark.partition_ledger
           where id = (select row_id from tidemark.attempt where token = :token)
             for update;

          select l.id, l.failures, l.failed_claims, l.claim_id = a.claim_id as claimed,
                 p.pipeline_id, p.revision, r.fingerprint, p.paused_at is not null as paused,
                 p.lookback_floor
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id and l.token = a.token
            join tidemark.pipeline p using (pipeline_id)
            join tidemark.revision r on r.pipeline_id = p.pipeline_id and r.revision = p.revision
           where a.token = :token and (a.ended_at is null or a.outcome = 'lost')
          """);

  /** Needs the definition's retry rule, so it is a short transaction of two round trips. */
  static Failed fail(
      Connection connection,
      DefinitionCache definitions,
      long token,
      FailureKind kind,
      String error,
      @Nullable String log)
      throws SQLException {
    List<FailureVerdict> verdicts = new ArrayList<>();
    List<PipelineDefinition> pipelines = new ArrayList<>();
    LOCK_ROW
        .on(connection)
        .set("token", token)
        .results(
            locked -> {},
            row -> {
              PipelineDefinition definition =
                  definitions.complete(connection, DefinitionCache.Key.of(row)).definition();
              pipelines.add(definition);
              verdicts.add(
                  FailureVerdict.of(
                      kind,
                      definition.pace().retry(),
                      row.integer("failures"),
                      row.integer("failed_claims"),
                      row.flag("claimed")));
            });
    if (verdicts.isEmpty()) {
      return new Failed(refused(connection, token), "", Optional.empty());
    }
    FailureVerdict verdict = verdicts.get(0);
    write(connection, token, verdict, error, log);
    PipelineDefinition pipeline = pipelines.get(0);
    return new Failed(
        verdict.settlement(error),
        pipeline.name(),
        kind == FailureKind.NO_DESTINATION
            ? Breakers.refused(connection, token, pipeline.pace().sharing().breaker(), error)
            : Optional.empty());
  }

  /**
   * What came of a failure.
   *
   * @param opened its account is left alone from now on
   */
  record Failed(Settlement settlement, String pipeline, Optional<Breakers.Opened> opened) {
    void alert() {
      opened.ifPresent(breaker -> breaker.alert(pipeline));
    }
  }

  private static final Sql FAIL =
      Sql.of(
          """
          with mine as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = :outcome, error = :error, log = :log
             where a.token = :token
            returning a.row_id, coalesce(a.input_version, '') as read_version)
          update tidemark.partition_ledger l
             set failures = :failures, failed_claims = :failed_claims, running_gen = null,
                 failed_version = case when :spent then mine.read_version
                                       else l.failed_version end,
                 last_error = case when :spent or :waits then :error else l.last_error end,
                 parked_at = case when :parked then clock_timestamp() end,
                 next_attempt_at = case when :waits
                   then clock_timestamp() + :pause_ms * interval '1 millisecond' end,
                 next_attempt_now = case when :waits
                   then l.claim_now + :pause_ms * interval '1 millisecond' end,
                 lease_until = case when :again then clock_timestamp()
                   + :pause_ms * interval '1 millisecond' + interval '90 seconds' end,
                 claim_id = case when :again then l.claim_id end,
                 claim_attempt = case when :again then l.claim_attempt end
            from mine
           where l.id = mine.row_id
          """);

  private static void write(
      Connection connection, long token, FailureVerdict verdict, String error, @Nullable String log)
      throws SQLException {
    FAIL.on(connection)
        .set("token", token)
        .set("outcome", verdict.recorded())
        .set("error", error)
        .set("log", log)
        .set("failures", verdict.failures())
        .set("failed_claims", verdict.failedClaims())
        .set("spent", verdict.isSpent())
        .set("parked", verdict.end() == FailureVerdict.End.PARKED)
        .set("waits", verdict.isWaiting())
        .set("again", verdict.end() == FailureVerdict.End.RETRY_IN_CLAIM)
        .set("pause_ms", verdict.pause().toMillis())
        .update();
  }
}
