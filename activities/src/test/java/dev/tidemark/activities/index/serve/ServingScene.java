package dev.tidemark.activities.index.serve;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.ledger.Edits;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.payload.Payloads;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * An object type with indexes that are built by hand, on a real ledger and a local store: what a
 * process that answers questions finds there.
 */
public final class ServingScene implements AutoCloseable {
  public static final String TYPE = "customer";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final Path folder;
  private final Path local;
  private final int typeId;
  private final Edits edits;
  private final Map<Long, Integer> generations = new HashMap<>();
  private final List<ObjectReader> readers = new ArrayList<>();

  /** Everything that the datasource has, by key. */
  private final TreeMap<String, List<@Nullable Object>> rows = new TreeMap<>();

  public ServingScene(Path folder) throws SQLException {
    this.folder = folder.resolve("store");
    this.local = folder.resolve("local");
    this.edits = new Edits(database.dataSource());
    this.typeId =
        (int)
            number(
                "insert into tidemark.object_type (name) values ('customer') returning object_type_id");
  }

  /** A property of each type, the primary key first. */
  public static ObjectType type(Property... more) {
    List<Property> properties =
        new ArrayList<>(
            List.of(
                property("id", "bigint"),
                new Property("name", ColumnType.parse("string"), true),
                property("city", "string"),
                property("age", "int"),
                property("score", "double"),
                property("balance", "decimal(10,2)"),
                property("born", "date"),
                property("seen", "timestamp"),
                property("active", "boolean"),
                property("extra", "json")));
    properties.addAll(Arrays.asList(more));
    return new ObjectType(
        TYPE,
        List.of("id"),
        properties,
        List.of(
            new Datasource(
                "crm",
                new Datasource.FromFiles("none"),
                new Datasource.Snapshot(),
                properties.stream().map(Property::name).toList())),
        EditRules.DEFAULT,
        Rhythm.DEFAULT,
        "objects");
  }

  public static Property property(String name, String type) {
    return new Property(name, ColumnType.parse(type), false);
  }

  /** What the datasource has of a customer, replacing what it had; null values after the name. */
  public void has(long id, @Nullable String name, @Nullable String city) {
    has(id, name, city, null, null, null, null, null, null, null);
  }

  /** The same with all values. */
  public void has(long id, @Nullable Object... values) {
    List<@Nullable Object> row = new ArrayList<>();
    row.add(id);
    row.addAll(Arrays.asList(values));
    rows.put(Long.toString(id), row);
  }

  public void hasNoMore(long id) {
    rows.remove(Long.toString(id));
  }

  /** A customer with a value of each type. */
  public void hasOneOfEach(long id, String name, String city, int age) {
    has(
        id,
        name,
        city,
        (long) age,
        age / 2.0,
        new BigDecimal(age + ".50"),
        LocalDate.of(2000, 1, 1).plusDays(age),
        Instant.parse("2026-01-01T00:00:00Z").plusSeconds(age),
        age % 2 == 0,
        "{\"n\":" + age + "}");
  }

  /** A new index of the type, not yet built. */
  public long index(ObjectType type, String role) throws Exception {
    return number(
        """
        insert into tidemark.object_index (object_type_id, revision, definition, role, cause)
        select %d, coalesce(max(revision), 0) + 1, '%s', '%s', 'schema' from tidemark.object_index
        returning object_index_id
        """
            .formatted(typeId, Payloads.mapper().writeValueAsString(type), role));
  }

  /** Builds the next generation: all rows that there are, and all edits that there are. */
  public void build(long index) throws Exception {
    publish(index, write(index));
  }

  /** The same, published with files that are not what the manifest says. */
  public Path buildDamaged(long index) throws Exception {
    IndexManifest manifest = write(index);
    Path file =
        folder.resolve("objects/customer/" + index + "/" + manifest.files().get(0).stored());
    Files.copy(file, file.resolveSibling("kept"));
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    Files.write(file, content);
    publish(index, manifest);
    return file;
  }

  /** What {@link #buildDamaged} damaged is as it should be. */
  public static void mend(Path file) throws IOException {
    Files.write(file, Files.readAllBytes(file.resolveSibling("kept")));
  }

  private IndexManifest write(long id) throws Exception {
    ObjectIndex index = new ObjectIndexes(database.dataSource()).get(id);
    int generation = generations.merge(id, 1, Integer::sum);
    ObjectDocuments documents = new ObjectDocuments(index.type());
    Map<String, ObjectState> states = new TreeMap<>();
    rows.forEach(
        (key, row) -> {
          List<@Nullable Object> fitting = new ArrayList<>(row);
          while (fitting.size() < index.type().properties().size()) {
            fitting.add(null);
          }
          states.put(key, ObjectState.unknown(1).with(0, new SourceRow(generation, null, fitting)));
        });
    long through = 0;
    for (Edits.Page page = edits.after(index, 0, 1_000);
        page.through() > through;
        page = edits.after(index, through, 1_000)) {
      for (Edit edit : page.edits()) {
        states.compute(
            edit.key(),
            (key, state) -> (state == null ? ObjectState.unknown(1) : state).with(edit));
      }
      through = page.through();
    }
    Path lucene = Files.createDirectories(local.resolve(Long.toString(id)));
    try (FSDirectory directory = FSDirectory.open(lucene);
        IndexWriter writer = new IndexWriter(directory, ObjectDocuments.config())) {
      writer.deleteAll();
      for (Map.Entry<String, ObjectState> one : states.entrySet()) {
        writer.addDocument(documents.document(one.getKey(), one.getValue()));
      }
      writer.commit();
    }
    return new IndexManifest(
        IndexManifest.FORMAT_VERSION,
        TYPE,
        id,
        generation,
        generation,
        through,
        rows.size(),
        states.size(),
        states.size(),
        List.of(),
        upload(id, generation, lucene));
  }

  private List<IndexManifest.File> upload(long id, int generation, Path lucene) throws IOException {
    Path files = Files.createDirectories(folder.resolve("objects/customer/" + id + "/files"));
    List<IndexManifest.File> all = new ArrayList<>();
    try (var made = Files.list(lucene)) {
      for (Path file : made.filter(one -> !one.endsWith("write.lock")).toList()) {
        String name = file.getFileName().toString();
        byte[] content = Files.readAllBytes(file);
        String stored = "files/" + name + "-" + generation;
        Files.write(files.resolve(name + "-" + generation), content);
        String sha256 = HexFormat.of().formatHex(Durably.sha256().digest(content));
        all.add(new IndexManifest.File(name, stored, content.length, sha256));
      }
    }
    return all;
  }

  private void publish(long id, IndexManifest manifest) throws Exception {
    String name = "customer/%d/index/%d/_manifest.json".formatted(id, manifest.generation());
    Path file = folder.resolve("objects").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, JSON.writeValueAsString(manifest));
    database.execute(
        """
        update tidemark.object_index
           set generation = %d, manifest = '%s', objects = %d, edit_offset = %d
         where object_index_id = %d
        """
            .formatted(manifest.generation(), name, manifest.objects(), manifest.editOffset(), id));
  }

  /** Has questions answered from this index from now on. */
  public void serve(long index) {
    database.execute(
        """
        update tidemark.object_index set role = 'replaced'
         where role = 'live' and object_index_id <> %1$d;
        update tidemark.object_index set role = 'live', switched_at = clock_timestamp()
         where object_index_id = %1$d;
        update tidemark.object_type
           set previous_index_id = serving_index_id, serving_index_id = %1$d
        """
            .formatted(index));
  }

  /** A process that answers questions. */
  public ObjectReader reader(String process) {
    ObjectReader reader = ObjectReader.open(database.dataSource(), stores(), process, any -> true);
    readers.add(reader);
    return reader;
  }

  private Stores stores() {
    return new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC());
  }

  public static NewEdit set(String key, String property, String value) {
    return new NewEdit(
        UUID.randomUUID().toString(), key, Edit.Action.SET, values(property, value), "test");
  }

  public static ObjectNode values(String property, String value) {
    return JsonNodeFactory.instance.objectNode().put(property, value);
  }

  /** What a process has said of an index in the ledger. */
  public String report(String process, long index) throws SQLException {
    return text(
        """
        select generation || ' ' || coalesce(error, '') from tidemark.object_serving
         where process = '%s' and object_index_id = %d
        """
            .formatted(process, index));
  }

  /** The generations of an index that processes have said that they have open. */
  public String reports(long index) {
    try {
      return text(
          """
          select string_agg(generation::text, ',' order by process) from tidemark.object_serving
           where object_index_id = %d and error is null
          """
              .formatted(index));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public LedgerTestDatabase database() {
    return database;
  }

  public int typeId() {
    return typeId;
  }

  /** Waits for it; the test's own time limit ends what never comes. */
  public static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(10);
    }
  }

  private long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  public String text(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }

  @Override
  public void close() {
    readers.forEach(ObjectReader::close);
    database.close();
  }
}
