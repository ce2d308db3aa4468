package dev.tidemark.activities.index.build;

import static dev.tidemark.activities.index.build.Customers.LIVE;
import static dev.tidemark.activities.index.build.Customers.REPLACEMENT;
import static dev.tidemark.activities.index.build.Customers.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.ledger.ServingProcesses;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.query.Filter;
import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.testing.S3Server;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stages where the location of an object type is in a bucket, of a real S3 server. */
@Timeout(60)
class S3StagesTest {
  private static final String LOCATION = "connection:lake/indexes";

  @TempDir Path folder;
  private final LedgerTestDatabase ledger = LedgerTestDatabase.create();
  private final String name = "objects-" + UUID.randomUUID();
  private final List<ObjectReader> readers = new ArrayList<>();

  /** The name of each customer, by key: what is to be seen. */
  private final SortedMap<String, String> names = new TreeMap<>();

  private Bucket bucket;
  private ConfiguredStores stores;
  private BuildProcess builds;

  @BeforeEach
  void open() {
    bucket = S3Server.start().bucket(name);
    stores =
        new ConfiguredStores(
            folder, new Connections(Map.of(), Map.of("lake", bucket)), Clock.systemUTC());
    builds = new BuildProcess(ledger.dataSource(), folder, stores);
    register();
  }

  @AfterEach
  void close() {
    readers.forEach(ObjectReader::close);
    ledger.close();
    bucket.close();
  }

  // D2, D3, D6, D7, D10, D12, D13, D28, D29
  @Test
  void whatIsIndexedInABucketIsWhatAPlainMapSays() throws Exception {
    write("first", 1, 60);
    IndexManifest first = build(LIVE, Role.LIVE);
    ObjectReader reader = reader("one");
    awaitSeen(reader, first);

    write("second", 58, 61);
    IndexManifest second = build(LIVE, Role.LIVE);
    awaitSeen(reader, second);
    assertThat(second.changed()).isEqualTo(4);
    assertThat(second.files()).anyMatch(first.files()::contains);

    edit(reader, "7", "edited");
    assertThat(seen(reader)).as("at once").isEqualTo(names);
    ledger.execute("update tidemark.object_edit set made_at = made_at - interval '6 hours'");
    IndexManifest third = build(LIVE, Role.LIVE);
    assertThat(third.editOffset()).isEqualTo(1);
    assertThat(third.changed()).isEqualTo(1);
    awaitSeen(reader, third);

    register("mail");
    IndexManifest replacement = build(REPLACEMENT, Role.REPLACEMENT);
    write("third", 61, 62);
    IndexManifest caughtUp = build(REPLACEMENT, Role.REPLACEMENT);
    awaitOpen(caughtUp);
    assertThat(new Replacements(ledger.dataSource()).tryToSwitch(TYPE, 2).switched()).isTrue();
    awaitSeen(reader, caughtUp);
    assertThat(caughtUp.files()).anyMatch(replacement.files()::contains);

    new ObjectTypes(ledger.dataSource()).askFull(TYPE, "test");
    IndexManifest all = build(LIVE, Role.LIVE);
    assertThat(all.files()).doesNotContainAnyElementsOf(caughtUp.files());
    awaitSeen(reader, all);
    sweep(first, all);
    awaitSeen(reader("another"), all);
  }

  /** What no kept generation needs is taken away, and nothing else. */
  private void sweep(IndexManifest gone, IndexManifest kept) throws IOException {
    ledger.execute("update tidemark.object_build set ended_at = ended_at - interval '2 hours'");
    int before = objects().size();
    new OldGenerations(ledger.dataSource(), stores).sweep(index(Role.LIVE).typeId(), () -> {});
    List<String> left = objects();
    assertThat(left)
        .hasSizeLessThan(before)
        .noneMatch(object -> object.startsWith("%s/%d/index/1-".formatted(TYPE, gone.index())))
        .containsAll(
            kept.files().stream()
                .map(file -> "%s/%d/%s".formatted(TYPE, kept.index(), file.stored()))
                .toList());
    assertThat(bucket.client().listMultipartUploads(list -> list.bucket(name)).uploads())
        .as("stagings that were left")
        .isEmpty();
  }

  private List<String> objects() throws IOException {
    List<String> names = new ArrayList<>();
    stores.open(LOCATION).walk("", null, object -> names.add(object.name()));
    return names;
  }

  private void register(String... more) {
    new ObjectDefinitions(ledger.dataSource())
        .register(Customers.type(new Datasource.Append(), LOCATION, more));
  }

  private void write(String file, int from, int through) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int id = from; id <= through; id++) {
      String name = "of the " + file;
      rows.append("{\"id\":%d,\"name\":\"%s\",\"mail\":\"m\"}\n".formatted(id, name));
      names.put(Integer.toString(id), name);
    }
    Path input = Files.createDirectories(folder.resolve("input"));
    Files.writeString(input.resolve(file + ".ndjson"), rows);
  }

  private IndexManifest build(BuildRequest request, Role role) throws IOException {
    builds.build(request, Watch.NONE);
    ObjectIndex index = index(role);
    return IndexManifest.at(
        stores.open(LOCATION), TYPE, index.id(), String.valueOf(index.built().manifest()));
  }

  private ObjectIndex index(Role role) {
    return new ObjectIndexes(ledger.dataSource()).in(TYPE, role).orElseThrow();
  }

  private void edit(ObjectReader reader, String key, String name) throws IOException {
    reader.edit(
        TYPE,
        new NewEdit(
            "request-" + key,
            key,
            Edit.Action.SET,
            JsonNodeFactory.instance.objectNode().put("name", name),
            "test"));
    names.put(key, name);
  }

  private ObjectReader reader(String process) throws Exception {
    ObjectReader reader = ObjectReader.open(ledger.dataSource(), stores, process, any -> true);
    readers.add(reader);
    assertThat(reader.await(TYPE, Duration.ofSeconds(30))).isTrue();
    return reader;
  }

  private static FoundObjects search(ObjectReader reader) throws IOException {
    return reader.search(
        TYPE, new ObjectQuery(Filter.EVERY, null, List.of(), ObjectQuery.MOST, null), 0);
  }

  private static SortedMap<String, String> seen(ObjectReader reader) throws IOException {
    SortedMap<String, String> seen = new TreeMap<>();
    for (FoundObject object : search(reader).objects()) {
      seen.put(object.key(), String.valueOf(object.values().get("name")));
    }
    return seen;
  }

  /** Waits for a generation, and compares. */
  private void awaitSeen(ObjectReader reader, IndexManifest generation) throws Exception {
    while (search(reader).generation().index() != generation.index()
        || search(reader).generation().generation() != generation.generation()) {
      Thread.sleep(10);
    }
    assertThat(seen(reader)).isEqualTo(names);
    assertThat(generation.objects()).isEqualTo(names.size());
  }

  private void awaitOpen(IndexManifest generation) throws Exception {
    ServingProcesses processes = new ServingProcesses(ledger.dataSource());
    while (processes.of(index(Role.REPLACEMENT)).stream()
        .noneMatch(one -> one.generation() == generation.generation())) {
      Thread.sleep(10);
    }
  }
}
