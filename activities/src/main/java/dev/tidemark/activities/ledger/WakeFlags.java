package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * Who undertook to wake a pipeline, so that many commits of one moment wake it once. A flag is
 * raised before the signal and lowered as the pass that it leads to begins, before that looks at
 * anything: what is committed from then on raises it anew, and is not missed.
 */
public final class WakeFlags {
  private final Database database;

  public WakeFlags(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * A flag older than a minute is one whose raiser, or whose pass, has died. A paused pipeline runs
   * nothing but what people asked for.
   */
  private static final Sql RAISE =
      Sql.of(
          """
          update tidemark.pipeline p
             set woken_at = clock_timestamp()
           where p.name = any(:pipelines) and p.removed_at is null
             and (p.woken_at is null or p.woken_at < clock_timestamp() - interval '1 minute')
             and ((:all and p.paused_at is null)
               or exists (
                 select from tidemark.partition_ledger l
                  where l.pipeline_id = p.pipeline_id and l.upstream_hold is not null
                    and (l.asked
                      or (p.paused_at is null
                        and (l.committed_token is null or l.outdated
                          or l.input_version is distinct from l.processed_version)))))
          returning p.name
          """);

  /**
   * Raises the flags of pipelines, where they are not up.
   *
   * @param all false: only of those with something that waits for an upstream
   * @return whose flags this call has raised: it is to wake them
   */
  public List<String> raise(Collection<String> pipelines, boolean all) {
    return database.roundTrip(
        connection ->
            RAISE
                .on(connection)
                .set("pipelines", List.copyOf(pipelines))
                .set("all", all)
                .list(row -> row.text("name")));
  }

  private static final Sql LOWER =
      Sql.of(
          """
          update tidemark.pipeline set woken_at = null
           where pipeline_id = :pipeline and woken_at is not null
          """);

  /** A pass over everything begins. */
  public void lower(RegisteredPipeline pipeline) {
    database.roundTrip(connection -> LOWER.on(connection).set("pipeline", pipeline.id()).update());
  }
}
