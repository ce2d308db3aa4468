package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Found;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.partition.Slice;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The commits of a pipeline, as the transactions of a datasource. */
final class PipelineCommits {
  private final Database database;

  PipelineCommits(DataSource ledger) {
    this.database = new Database(ledger);
  }

  private static final Sql REGISTERED =
      Sql.of("select pipeline_id from tidemark.pipeline where name = :name and removed_at is null");

  /** Equal content is no new transaction. What is retained, excused or lost is not there. */
  private static final Sql ALL =
      Sql.of(
          """
          select partition, coalesce(content, 'token ' || committed_token) as version,
                 committed_at, false as lost
            from tidemark.partition_ledger
           where pipeline_id = :pipeline and slice = :slice and committed_token is not null
             and expected and excused_at is null and output_lost_at is null
           order by committed_at, window_start
          """);

  private static final Sql NEWEST =
      Sql.of(
          """
          select partition, coalesce(content, 'token ' || committed_token) as version,
                 committed_at, output_lost_at is not null as lost
            from tidemark.partition_ledger
           where pipeline_id = :pipeline and slice = :slice and committed_token is not null
             and expected and excused_at is null
           order by window_start desc
           limit 1
          """);

  /**
   * In the order of the commits; empty where it cannot be said: nobody has registered the pipeline,
   * or the newest snapshot is lost, and is about to be made again.
   */
  Optional<List<Found>> of(Datasource datasource, Datasource.FromPipeline origin) {
    return database.roundTrip(
        connection -> {
          Optional<Long> pipeline =
              REGISTERED
                  .on(connection)
                  .set("name", origin.pipeline())
                  .first(row -> row.number("pipeline_id"));
          return pipeline.isEmpty()
              ? Optional.empty()
              : commits(connection, datasource, origin, pipeline.get());
        });
  }

  private static Optional<List<Found>> commits(
      Connection connection, Datasource datasource, Datasource.FromPipeline origin, long pipeline)
      throws SQLException {
    boolean snapshot = datasource.kind() instanceof Datasource.Snapshot;
    List<Found> found = new ArrayList<>();
    boolean[] lost = new boolean[1];
    (snapshot ? NEWEST : ALL)
        .on(connection)
        .set("pipeline", pipeline)
        .set("slice", Slice.of(origin.slice()).canonical())
        .results(
            row -> {
              lost[0] |= row.flag("lost");
              found.add(
                  new Found(
                      datasource.name(),
                      row.text("partition"),
                      row.text("version"),
                      row.instantOrNull("committed_at")));
            });
    return lost[0] ? Optional.empty() : Optional.of(found);
  }
}
