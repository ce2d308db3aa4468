package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.task.TestWorker;
import dev.tidemark.testing.S3Server;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A day of an export as attempts publish it, in a folder or in a bucket, and as a customer has it.
 */
final class PublishedDay implements AutoCloseable {
  static final String UNIT = "it's \\ \"odd\"; drop table analytics.events; --\n$$*/é🎉";
  private static final Slice SLICE = Slice.of(Map.of("unit", UNIT));
  private static final String DAY = "sales/" + SLICE.canonical() + "/dt=" + TestLedger.DAY;

  final TestLedger ledger;
  private final Path folder;
  private final @Nullable Bucket bucket;
  private final RegisteredPipeline pipeline;
  private final TestWorker worker;
  private int downloads;

  /**
   * @param bucket null for a folder
   */
  PublishedDay(Path folder, @Nullable Bucket bucket, String tables, TaskSpec.Export export)
      throws Exception {
    this.folder = folder;
    this.bucket = bucket;
    this.ledger = new TestLedger(folder);
    ledger.database.execute(tables);
    Connections stores =
        new Connections(Map.of(), bucket == null ? Map.of() : Map.of("lake", bucket));
    this.worker =
        TestWorker.on(
            ledger.database.dataSource(),
            new ConfiguredStores(folder, stores, Clock.systemUTC()),
            folder);
    this.pipeline =
        ledger.register(
            TestPipeline.daily("sales")
                .slices(new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of(UNIT))), null))
                .task(
                    new TaskSpec.Export(
                        "ledger",
                        export.query(),
                        export.dataset(),
                        export.parts(),
                        export.load(),
                        export.timeout()))
                .output(new OutputSpec.Hive(bucket == null ? "./out" : "connection:lake/exports")));
  }

  /** Exports the day, again if it was exported before. */
  PartitionOutcome export() {
    ledger.lose();
    ledger.endPause();
    return worker.run(ledger.claim(pipeline));
  }

  /** The dataset's place as a reader has it: the folder itself, or what is in the bucket now. */
  Path exports() throws IOException {
    if (bucket == null) {
      return folder.resolve("out");
    }
    downloads++;
    Path copy = folder.resolve("download-" + downloads);
    for (String key : keys(bucket)) {
      Path file = copy.resolve(key.substring("exports/".length()));
      Files.createDirectories(file.getParent());
      bucket.client().getObject(get -> get.bucket(bucket.name()).key(key), file);
    }
    return copy;
  }

  static List<String> keys(Bucket bucket) {
    return bucket
        .client()
        .listObjectsV2Paginator(list -> list.bucket(bucket.name()))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  static Path day(Path exports) {
    return exports.resolve(DAY);
  }

  /** The rows of the manifest, whose files are all that are there. */
  static long rows(Path day) throws IOException {
    JsonNode manifest = new ObjectMapper().readTree(day.resolve("_manifest.json").toFile());
    List<String> named = new ArrayList<>();
    manifest.get("files").forEach(file -> named.add(file.get("name").asText()));
    assertThat(parts(day)).containsExactlyElementsOf(named);
    return manifest.get("rows").asLong();
  }

  static List<String> parts(Path day) throws IOException {
    try (Stream<Path> files = Files.list(day)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("part-"))
          .sorted()
          .toList();
    }
  }

  /** A bucket of the tests' server by the way of that endpoint. */
  static Bucket bucket(String name, String endpoint) {
    return S3Server.connection(name, endpoint, S3Server.SECRET_KEY);
  }

  @Override
  public void close() {
    ledger.close();
    if (bucket != null) {
      bucket.close();
    }
  }
}
