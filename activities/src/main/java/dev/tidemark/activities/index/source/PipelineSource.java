package dev.tidemark.activities.index.source;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.publish.OutputReader;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** The committed partitions of a pipeline, read by the reading protocol. */
final class PipelineSource implements Source {
  private final Datasource datasource;
  private final Datasource.FromPipeline origin;
  private final Stores stores;
  private final Definitions definitions;
  private final Database database;
  private final Slice slice;

  PipelineSource(
      Datasource datasource, Datasource.FromPipeline origin, Stores stores, DataSource ledger) {
    this.datasource = datasource;
    this.origin = origin;
    this.stores = stores;
    this.definitions = new Definitions(ledger);
    this.database = new Database(ledger);
    this.slice = origin.slice().isEmpty() ? Slice.EMPTY : Slice.of(origin.slice());
  }

  // What is not expected any more, or was taken out by a person, is gone. What is lost in the store
  // is made again: until then it is what it was, and nothing older takes its place.
  private static final Sql COMMITTED =
      Sql.of(
          """
          select partition, committed_at, coalesce(content, committed_token::text) as version
            from tidemark.partition_ledger
           where pipeline_id = :pipeline and slice = :slice and expected
             and committed_token is not null and excused_at is null
           order by case when :newest then window_start end desc, committed_at, window_start
           limit case when :newest then 1 end
          """);

  @Override
  public List<Found> find() {
    RegisteredPipeline pipeline = definitions.get(origin.pipeline());
    return database.roundTrip(
        connection ->
            COMMITTED
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("slice", slice.canonical())
                .set("newest", datasource.kind() instanceof Datasource.Snapshot)
                .list(
                    row ->
                        new Found(
                            row.text("partition"),
                            row.text("version"),
                            row.instant("committed_at"))));
  }

  /** The files are brought first: what is read long after that stays one output. */
  @Override
  public String read(Transaction transaction, RawRow.Sink sink) throws IOException {
    PipelineDefinition definition = definitions.get(origin.pipeline()).definition();
    OutputReader reader = new OutputReader(definition, stores);
    Window window = definition.extent().partitions().parse(transaction.identity());
    Path scratch = Scratch.folder("source");
    try {
      Optional<Brought> brought =
          reader.read(window, slice, output -> bring(reader, window, output, scratch));
      if (brought.isEmpty()) {
        throw new GoneException(datasource.name(), transaction);
      }
      for (Map.Entry<Path, String> file : brought.get().files().entrySet()) {
        RowFile.read(file.getKey(), file.getValue(), sink);
      }
      return brought.get().version(transaction.version());
    } finally {
      Durably.removeTree(scratch);
    }
  }

  /** Files of one output, with their names in it. */
  private record Brought(PublishedOutput output, Map<Path, String> files) {
    String version(String expected) {
      if (output.content() != null) {
        return output.content();
      }
      return output.token() == null ? expected : output.token().toString();
    }
  }

  private Brought bring(OutputReader reader, Window window, PublishedOutput output, Path scratch)
      throws IOException {
    Path folder = Files.createTempDirectory(scratch, "output-");
    Map<Path, String> brought = new LinkedHashMap<>();
    for (PublishedOutput.File file : output.files()) {
      Path target = folder.resolve("part-" + brought.size());
      reader.fetch(window, slice, file, target);
      brought.put(target, file.address());
    }
    return new Brought(output, brought);
  }
}
