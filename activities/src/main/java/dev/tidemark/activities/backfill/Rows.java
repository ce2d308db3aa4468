package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the table {@code backfill}. */
final class Rows {
  /** Without letters that are taken for digits. */
  private static final String ALPHABET = "23456789abcdefghjkmnpqrstvwxyz";

  private static final int ID_LETTERS = 6;
  private static final int MAX_TEXT = 1_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Rows() {}

  // Its own key space, beside the claims' lock: a request never waits for a claim.
  private static final Sql LOCK =
      Sql.of("select pg_advisory_xact_lock(hashtext('tidemark.backfill'), :pipeline)");

  /** Until the end of the transaction, nobody else changes this pipeline's backfills. */
  static void lock(Connection connection, int pipelineId) throws SQLException {
    LOCK.on(connection).set("pipeline", pipelineId).first(row -> "");
  }

  private static final Sql PIPELINE_OF =
      Sql.of("select pipeline_id from tidemark.backfill where backfill_id = :backfill");

  /** {@link #lock} for the pipeline of a backfill; false if there is no such backfill. */
  static boolean lockOf(Connection connection, String backfillId) throws SQLException {
    Optional<Integer> pipelineId =
        PIPELINE_OF
            .on(connection)
            .set("backfill", backfillId)
            .first(row -> row.integer("pipeline_id"));
    if (pipelineId.isPresent()) {
      lock(connection, pipelineId.get());
    }
    return pipelineId.isPresent();
  }

  private static final Sql FIND_REQUEST =
      Sql.of(
          "select backfill_id from tidemark.backfill where pipeline_id = :pipeline and request_id = :request");

  /** The backfill that this request already made, if it was sent before. */
  static Optional<String> findRequest(
      Connection connection, RegisteredPipeline pipeline, BackfillRequest request)
      throws SQLException {
    return request.requestId() == null
        ? Optional.empty()
        : FIND_REQUEST
            .on(connection)
            .set("pipeline", pipeline.id())
            .set("request", request.requestId())
            .first(row -> row.text("backfill_id"));
  }

  private static final Sql INSERT =
      Sql.of(
          """
          insert into tidemark.backfill (backfill_id, pipeline_id, request_id, requested_by, reason,
              first, last, slice, mode, newest_first, parallel, params, state)
          values ('bf-' || to_char(clock_timestamp() at time zone 'UTC', 'YYYYMMDD') || '-' || :letters,
              :pipeline, :request, :by, :reason, :first, :last, :slice, :mode, :newest_first, :parallel,
              jsonb_object(:names::text[], :values::text[]), 'requested')
          returning backfill_id
          """);

  /** Adds a backfill; returns its id. */
  static String insert(Connection connection, RegisteredPipeline pipeline, CheckedRequest request)
      throws SQLException {
    BackfillRequest asked = request.asked();
    return INSERT
        .on(connection)
        .set("letters", letters())
        .set("pipeline", pipeline.id())
        .set("request", requestId(asked))
        .set("by", asked.requestedBy())
        .set("reason", asked.reason())
        .set("first", request.from().label())
        .set("last", request.to().label())
        .set("slice", request.slice().canonical())
        .set("mode", code(request.mode()))
        .set("newest_first", newestFirst(asked))
        .set("parallel", asked.parallel())
        .set("names", List.copyOf(request.params().keySet()))
        .set("values", List.copyOf(request.params().values()))
        .first(row -> row.text("backfill_id"))
        .orElseThrow();
  }

  private static final Sql INSERT_REJECTED =
      Sql.of(
          """
          insert into tidemark.backfill (backfill_id, pipeline_id, request_id, requested_by, reason,
              first, last, mode, state, error, ended_at)
          values ('bf-' || to_char(clock_timestamp() at time zone 'UTC', 'YYYYMMDD') || '-' || :letters,
              :pipeline, :request, :by, :reason, :first, :last, :mode, 'rejected', :error,
              clock_timestamp())
          returning backfill_id
          """);

  /** Adds a backfill that was refused: what it asked for is kept, cut to a sane length. */
  static String insertRejected(
      Connection connection, RegisteredPipeline pipeline, BackfillRequest request, String error)
      throws SQLException {
    return INSERT_REJECTED
        .on(connection)
        .set("letters", letters())
        .set("pipeline", pipeline.id())
        .set("request", requestId(request))
        .set("by", cut(request.requestedBy()))
        .set("reason", cut(request.reason()))
        .set("first", cut(request.from()))
        .set("last", cut(request.to()))
        .set("mode", code(request.mode() == null ? BackfillRequest.Mode.MISSING : request.mode()))
        .set("error", cut(error))
        .first(row -> row.text("backfill_id"))
        .orElseThrow();
  }

  private static String requestId(BackfillRequest request) {
    return request.requestId() == null ? UUID.randomUUID().toString() : cut(request.requestId());
  }

  /** What was refused, fit to be stored: PostgreSQL's text cannot hold the character NUL. */
  private static String cut(@Nullable String given) {
    String text = given == null ? "" : given.replace("\0", "");
    return text.substring(0, Math.min(text.length(), MAX_TEXT));
  }

  private static String letters() {
    StringBuilder letters = new StringBuilder(ID_LETTERS);
    for (int i = 0; i < ID_LETTERS; i++) {
      letters.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
    }
    return letters.toString();
  }

  private static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Boolean newestFirst(BackfillRequest request) {
    return request.order() == null ? null : request.order() == BackfillRequest.Order.NEWEST;
  }

  // A failed one had ended: whether this one has is worked out anew.
  private static final Sql SET_STATE =
      Sql.of(
          "update tidemark.backfill set state = :state, ended_at = null where backfill_id = :backfill");

  static void setState(Connection connection, String backfillId, String state) throws SQLException {
    SET_STATE.on(connection).set("state", state).set("backfill", backfillId).update();
  }

  private static final Sql SET_PARALLEL =
      Sql.of("update tidemark.backfill set parallel = :parallel where backfill_id = :backfill");

  static void setParallel(Connection connection, String backfillId, int parallel)
      throws SQLException {
    SET_PARALLEL.on(connection).set("parallel", parallel).set("backfill", backfillId).update();
  }

  private static final Sql WITH_UNSETTLED =
      Sql.of(
          """
          select distinct pipeline_id
            from tidemark.backfill
           where ended_at is null or state = 'failed'
           order by 1
          """);

  static List<Integer> pipelinesWithUnsettled(Connection connection) throws SQLException {
    return WITH_UNSETTLED.on(connection).list(row -> row.integer("pipeline_id"));
  }

  // Failed are those that wait for a person: they are parked, and still asked for.
  private static final Sql VIEW =
      Sql.of(
          """
          select b.backfill_id, p.name as pipeline, b.state, b.already_requested, b.error,
                 count(i.row_id) as partitions,
                 count(*) filter (where i.state = 'completed') as completed,
                 count(l.parked_at) as failed,
                 count(*) filter (where i.state = 'cancelled') as cancelled
            from (
              select *
                from tidemark.backfill
               where :backfill::text is null or backfill_id = :backfill
               order by requested_at desc, backfill_id
               limit 200) b
            join tidemark.pipeline p using (pipeline_id)
            left join tidemark.backfill_item i using (backfill_id)
            left join tidemark.partition_ledger l
              on l.id = i.row_id
             and i.state = 'requested'
           group by b.backfill_id, b.state, b.already_requested, b.error, b.requested_at, p.name
           order by b.requested_at desc, b.backfill_id
          """);

  static List<BackfillView> newest(Connection connection) throws SQLException {
    return VIEW.on(connection).set("backfill", null).list(Rows::toView);
  }

  static BackfillView view(Connection connection, String backfillId) throws SQLException {
    return VIEW.on(connection).set("backfill", backfillId).first(Rows::toView).orElseThrow();
  }

  private static BackfillView toView(Row row) throws SQLException {
    return new BackfillView(
        row.text("backfill_id"),
        row.text("pipeline"),
        BackfillView.State.valueOf(row.text("state").toUpperCase(Locale.ROOT)),
        row.integer("partitions"),
        row.integer("already_requested"),
        row.integer("completed"),
        row.integer("failed"),
        row.integer("cancelled"),
        row.textOrNull("error"),
        null);
  }
}
