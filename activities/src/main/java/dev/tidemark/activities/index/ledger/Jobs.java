package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Build;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The jobs of builds, as people see them (D30 to D33). */
public final class Jobs {
  private final Database database;

  public Jobs(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /** The stages of a build. */
  public enum Stage {
    CHANGELOG,
    MERGE,
    INDEX,
    HYDRATE;

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Sql BEGIN =
      Sql.of(
          """
          insert into tidemark.object_job as j (build_id, stage, subject, state)
          select build_id, :stage, :subject, 'running'
            from tidemark.object_build
           where token = :token
          on conflict (build_id, stage, subject) do update
             set state = 'running', attempt = j.attempt + 1, began_at = clock_timestamp(),
                 ended_at = null, error = null
          """);

  /**
   * A job of a build begins, or begins again.
   *
   * @param subject the datasource of a changelog, the process of a hydration; else empty
   */
  public void begin(Build build, Stage stage, String subject) {
    database.roundTrip(connection -> on(connection, BEGIN, build, stage, subject).update());
  }

  private static final Sql COMPLETE =
      Sql.of(
          """
          update tidemark.object_job
             set state = 'completed', ended_at = clock_timestamp(), manifest = :manifest,
                 rows = :rows, bytes = :bytes, error = null
           where build_id = (select build_id from tidemark.object_build where token = :token)
             and stage = :stage and subject = :subject
          """);

  /**
   * What a job has published.
   *
   * @param manifest its address; null where it publishes nothing
   */
  public record Published(@Nullable String manifest, long rows, long bytes) {}

  public void complete(Build build, Stage stage, String subject, Published published) {
    database.roundTrip(
        connection ->
            on(connection, COMPLETE, build, stage, subject)
                .set("manifest", published.manifest())
                .set("rows", published.rows())
                .set("bytes", published.bytes())
                .update());
  }

  private static final Sql FAIL =
      Sql.of(
          """
          update tidemark.object_job
             set state = 'failed', ended_at = clock_timestamp(), error = :error
           where build_id = (select build_id from tidemark.object_build where token = :token)
             and stage = :stage and subject = :subject and state = 'running'
          """);

  /** An attempt of a job failed; another one may follow. */
  public void fail(Build build, Stage stage, String subject, String error) {
    database.roundTrip(
        connection -> on(connection, FAIL, build, stage, subject).set("error", error).update());
  }

  private static final Sql FINISH =
      Sql.of(
          """
          update tidemark.object_job j
             set state = 'completed', ended_at = b.ended_at, manifest = i.manifest, error = null
            from tidemark.object_build b
            join tidemark.object_index i using (object_index_id)
           where b.token = :token and b.state = 'completed' and j.build_id = b.build_id
             and j.stage = :stage and j.subject = :subject and j.state <> 'completed'
          """);

  /** The build is complete, and whoever made it so did not live to say that of the job. */
  public void finish(Build build, Stage stage, String subject) {
    database.roundTrip(connection -> on(connection, FINISH, build, stage, subject).update());
  }

  private static Sql.Call on(
      java.sql.Connection connection, Sql sql, Build build, Stage stage, String subject) {
    return sql.on(connection)
        .set("token", build.token())
        .set("stage", stage.text())
        .set("subject", subject);
  }

  /**
   * A job, with the build that it is of.
   *
   * @param error of its newest attempt; only for those who may view its datasource (D32)
   */
  public record Job(
      BuildOf build,
      Stage stage,
      String subject,
      String state,
      int attempt,
      Ran ran,
      @Nullable String error) {}

  /** Which build a job is of. */
  public record BuildOf(
      String objectType, int revision, String role, long generation, String cause, boolean full) {}

  /** When a job ran, and what it published. */
  public record Ran(
      Instant beganAt, @Nullable Instant endedAt, @Nullable Long rows, @Nullable Long bytes) {}

  private static final Sql NEWEST =
      Sql.of(
          """
          select t.name, i.revision, i.role, b.generation, b.cause, b.full_build, j.stage,
                 j.subject, j.state, j.attempt, j.began_at, j.ended_at, j.rows, j.bytes, j.error
            from tidemark.object_type t
            join tidemark.object_index i using (object_type_id)
            join tidemark.object_build b using (object_index_id)
            join tidemark.object_job j using (build_id)
           where t.removed_at is null and (t.name = :type or :type::text is null)
           order by j.job_id desc
           limit :most
          """);

  /**
   * The newest jobs, the newest first.
   *
   * @param type only those of this object type (D33); null for all
   */
  public List<Job> newest(@Nullable String type, int most) {
    return database.roundTrip(
        connection -> NEWEST.on(connection).set("type", type).set("most", most).list(Jobs::job));
  }

  private static Job job(Row row) throws SQLException {
    return new Job(
        new BuildOf(
            row.text("name"),
            row.integer("revision"),
            row.text("role"),
            row.number("generation"),
            row.text("cause"),
            row.flag("full_build")),
        Stage.valueOf(row.text("stage").toUpperCase(Locale.ROOT)),
        row.text("subject"),
        row.text("state"),
        row.integer("attempt"),
        new Ran(
            row.instant("began_at"),
            row.instantOrNull("ended_at"),
            row.numberOrNull("rows"),
            row.numberOrNull("bytes")),
        row.textOrNull("error"));
  }
}
