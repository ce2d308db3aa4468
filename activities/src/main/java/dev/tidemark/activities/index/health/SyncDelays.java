package dev.tidemark.activities.index.health;

import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.Datasource.FromPipeline;
import dev.tidemark.workflows.partition.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The Sync Propagation Delay (D30): how long the oldest commit of a source has been waiting to be
 * seen by queries. It is read from what the sources have committed, so that it grows also while no
 * build runs at all (c-M1).
 */
final class SyncDelays {
  private final Database database;

  SyncDelays(DataSource ledger) {
    this.database = new Database(ledger);
  }

  /**
   * What a process that is seen does not have open waits; where none is seen, what is in no
   * generation. So does what no build has noticed yet; of a snapshot only the newest partition.
   */
  private static final Sql OLDEST =
      Sql.of(
          """
          with waiting as (
            select t.committed_at
              from tidemark.object_transaction t
             where t.object_index_id = :index and t.removed_at is null
               and (t.generation is null
                    or t.generation > (select min(s.generation) from tidemark.object_serving s
                                        where s.object_index_id = :index
                                          and s.seen_until > clock_timestamp()))
            union all
            select l.committed_at
              from unnest(:datasources::text[], :pipelines::text[], :slices::text[],
                          :snapshots::boolean[]) as d (datasource, pipeline, slice, snapshot)
              join tidemark.pipeline p on p.name = d.pipeline
              join tidemark.partition_ledger l using (pipeline_id, slice)
             where l.expected and l.committed_token is not null and l.excused_at is null
               and l.output_lost_at is null
               and not exists (
                     select from tidemark.object_transaction k
                      where k.object_index_id = :index and k.datasource = d.datasource
                        and k.removed_at is null and k.identity = l.partition
                        and k.version = coalesce(l.content, l.committed_token::text))
               and (not d.snapshot or not exists (
                     select from tidemark.partition_ledger later
                      where later.pipeline_id = l.pipeline_id and later.slice = l.slice
                        and later.window_end > l.window_end and later.expected
                        and later.committed_token is not null and later.excused_at is null
                        and later.output_lost_at is null)))
          select extract(epoch from clock_timestamp() - min(committed_at)) * 1000 as waited
            from waiting
          having min(committed_at) is not null
          """);

  /** How long the oldest has waited; zero where nothing does. */
  Duration of(ObjectIndex index) {
    List<String> datasources = new ArrayList<>();
    List<String> pipelines = new ArrayList<>();
    List<String> slices = new ArrayList<>();
    List<Boolean> snapshots = new ArrayList<>();
    for (Datasource datasource : index.type().datasources()) {
      if (datasource.origin() instanceof FromPipeline from) {
        datasources.add(datasource.name());
        pipelines.add(from.pipeline());
        slices.add(Slice.of(from.slice()).canonical());
        snapshots.add(datasource.kind() instanceof Datasource.Snapshot);
      }
    }
    return database.roundTrip(
        connection ->
            OLDEST
                .on(connection)
                .set("index", index.id())
                .set("datasources", datasources)
                .set("pipelines", pipelines)
                .set("slices", slices)
                .set("snapshots", snapshots)
                .first(row -> Duration.ofMillis(Math.max(0, row.number("waited"))))
                .orElse(Duration.ZERO));
  }
}
