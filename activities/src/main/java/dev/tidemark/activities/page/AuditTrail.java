package dev.tidemark.activities.page;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Who did what, when, and from where. Written before the thing is done, so that nothing is done
 * without a record, and completed after it.
 */
public final class AuditTrail {
  private static final int LONGEST = 1_000;

  private final Database database;

  public AuditTrail(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /** How an action ended. */
  public enum Outcome {
    DONE,
    /** Nothing was changed. */
    REFUSED,
    /** What of it was done is not known here. */
    FAILED
  }

  /**
   * What somebody is about to do.
   *
   * @param from the address that they ask from
   * @param pipeline its name; null where it is about none
   * @param detail what they ask for, as JSON
   */
  public record Action(
      String who, String from, String action, @Nullable String pipeline, String detail) {}

  // The database's clock: the same for every worker.
  private static final Sql BEGIN =
      Sql.of(
          """
          insert into tidemark.audit (who, came_from, action, pipeline, detail)
          values (:who, :from, :action, :pipeline, cast(:detail as jsonb))
          returning audit_id
          """);

  /** Records what is about to be done; returns the record's id. */
  public long begin(Action action) {
    return database.roundTrip(
        connection ->
            BEGIN
                .on(connection)
                .set("who", action.who())
                .set("from", action.from())
                .set("action", action.action())
                .set("pipeline", action.pipeline())
                .set("detail", action.detail())
                .list(row -> row.number("audit_id"))
                .get(0));
  }

  private static final Sql END =
      Sql.of(
          """
          update tidemark.audit
             set ended_at = clock_timestamp(), outcome = :outcome, message = left(:message, :longest)
           where audit_id = :id and ended_at is null
          """);

  /**
   * Records how it ended.
   *
   * @param message why it did not succeed; null where it did
   */
  public void end(long id, Outcome outcome, @Nullable String message) {
    database.roundTrip(
        connection ->
            END.on(connection)
                .set("id", id)
                .set("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .set("message", message)
                .set("longest", LONGEST)
                .update());
  }

  /**
   * One record.
   *
   * @param outcome null while it is under way, or where the process ended meanwhile
   */
  public record Entry(
      long id,
      Instant at,
      String who,
      String from,
      What what,
      @Nullable String outcome,
      @Nullable String message) {}

  /** What was asked for; detail is JSON. */
  public record What(String action, @Nullable String pipeline, @JsonRawValue String detail) {}

  private static final Sql NEWEST =
      Sql.of(
          """
          select audit_id, at, who, came_from, action, pipeline, detail::text as detail, outcome, message
            from tidemark.audit
           where (:before::bigint is null or audit_id < :before)
             and (:everything or pipeline = any(:pipelines::text[]))
           order by audit_id desc
           limit :most
          """);

  /**
   * The newest, newest first.
   *
   * @param before only older ones than this record; null for the newest of all
   * @param pipelines only those about these; null for all, also those about none
   */
  public List<Entry> newest(@Nullable Long before, @Nullable List<String> pipelines, int most) {
    return database.roundTrip(
        connection ->
            NEWEST
                .on(connection)
                .set("before", before)
                .set("everything", pipelines == null)
                .set("pipelines", pipelines == null ? List.of() : pipelines)
                .set("most", most)
                .list(AuditTrail::entry));
  }

  private static Entry entry(Row row) throws SQLException {
    return new Entry(
        row.number("audit_id"),
        row.instant("at"),
        row.text("who"),
        row.text("came_from"),
        new What(row.text("action"), row.textOrNull("pipeline"), row.text("detail")),
        row.textOrNull("outcome"),
        row.textOrNull("message"));
  }
}
