package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** How long partitions took. */
public final class PastRuns {
  private final Database database;

  public PastRuns(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql MEDIAN =
      Sql.of(
          """
          select (percentile_cont(0.5) within group (order by took) * 1000)::bigint as millis
            from (select extract(epoch from a.ended_at - a.began_at) as took
                    from tidemark.attempt a
                    join tidemark.partition_ledger l on l.id = a.row_id
                   where l.pipeline_id = :pipeline and a.outcome = 'committed'
                   order by a.token desc
                   limit 1000) past
          """);

  /** The median of the last 1,000 attempts that committed; empty before the first. */
  public Optional<Duration> median(RegisteredPipeline pipeline) {
    return database.roundTrip(
        connection ->
            Optional.ofNullable(
                    MEDIAN
                        .on(connection)
                        .set("pipeline", pipeline.id())
                        .list(row -> Optional.ofNullable(row.numberOrNull("millis")))
                        .get(0)
                        .orElse(null))
                .map(Duration::ofMillis));
  }
}
