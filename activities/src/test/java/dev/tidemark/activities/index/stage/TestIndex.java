package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectKey;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.index.segment.StoredObjects;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/** An index over datasources in memory, built as the workflows build one. */
final class TestIndex {
  private final Path folder;
  private final LocalStore store;
  private final SegmentFiles segments;
  private final List<Edit> edits = new ArrayList<>();
  private final Map<String, List<Written>> sources = new HashMap<>();
  private final Map<String, SortedMap<Long, Written>> taken = new HashMap<>();
  private ObjectType type;
  private long index = 1;
  private long token;
  private int opened;
  private @Nullable IndexManifest newest;
  private List<StageManifest> changelogs = List.of();
  private boolean wasFull;
  private int beats;

  /** A transaction of a datasource as it is now. */
  record Written(String identity, int version, List<Row> rows) {}

  /** A row of a transaction. */
  record Row(
      String key, @Nullable Comparable<?> ordering, @Nullable List<@Nullable Object> values) {}

  TestIndex(ObjectType type, Path folder) {
    this.type = type;
    this.folder = folder;
    this.store = new LocalStore(folder.resolve("store"), Clock.systemUTC());
    this.segments = new SegmentFiles(folder.resolve("segments"));
  }

  /** Begins another index with another definition. */
  void redefine(ObjectType changed) {
    type = changed;
    index++;
    newest = null;
    taken.clear();
  }

  /** Writes a transaction, anew if there is one of that identity. */
  void write(String datasource, String identity, List<Row> rows) {
    List<Written> all = all(datasource);
    int version = 1;
    for (Written was : List.copyOf(all)) {
      if (was.identity().equals(identity)) {
        version = was.version() + 1;
        all.remove(was);
      }
    }
    all.add(new Written(identity, version, rows));
  }

  void remove(String datasource, String identity) {
    all(datasource).removeIf(written -> written.identity().equals(identity));
  }

  List<Written> all(String datasource) {
    return sources.computeIfAbsent(datasource, name -> new ArrayList<>());
  }

  void edit(Edit edit) {
    edits.add(edit);
  }

  List<Edit> edits() {
    return edits;
  }

  ObjectType type() {
    return type;
  }

  /** Builds the next generation: a full one where it must be. */
  IndexManifest build() throws IOException {
    boolean gone =
        type.datasources().stream()
            .filter(source -> !(source.kind() instanceof Datasource.Snapshot))
            .anyMatch(source -> !present(source).containsAll(identities(source)));
    return build(newest == null || gone);
  }

  private Set<String> present(Datasource source) {
    Set<String> identities = new HashSet<>();
    all(source.name()).forEach(written -> identities.add(written.identity()));
    return identities;
  }

  private Set<String> identities(Datasource source) {
    Set<String> identities = new HashSet<>();
    taken(source).values().forEach(written -> identities.add(written.identity()));
    return identities;
  }

  private SortedMap<Long, Written> taken(Datasource source) {
    return taken.computeIfAbsent(source.name(), name -> new TreeMap<>());
  }

  /** Builds the next generation. */
  IndexManifest build(boolean full) throws IOException {
    IndexManifest previous = full ? null : newest;
    long generation = newest == null ? 1 : newest.generation() + 1;
    Build build = new Build(type, index, generation, ++token, edits.size(), previous);
    Workplace place = new Workplace(store, segments, Watch.NONE);
    List<StageManifest> made = new ArrayList<>();
    for (int i = 0; i < type.datasources().size(); i++) {
      StageManifest changelog = changelog(build, place, i);
      if (changelog.full() != null) {
        return build(true);
      }
      made.add(changelog);
    }
    changelogs = made;
    StageManifest merged = MergeStage.run(build, place, made, this::read);
    newest = IndexStage.run(build, place, merged, made);
    wasFull = full;
    return newest;
  }

  /** See {@link GenerationSweep#run}. */
  int sweep(Set<Long> kept, long before) throws IOException {
    return GenerationSweep.run(store, type.name(), index, kept, before, () -> beats++);
  }

  /** How often the sweeps have said that they go on. */
  int beats() {
    return beats;
  }

  /** What the last build that came to its end was. */
  boolean wasFull() {
    return wasFull;
  }

  /** Of the last build. */
  List<StageManifest> changelogs() {
    return changelogs;
  }

  private void read(long after, long through, EditFeed.Sink sink) throws IOException {
    for (Edit edit : edits) {
      if (edit.offset() > after && edit.offset() <= through) {
        Map<String, @Nullable Object> values = new HashMap<>(edit.values());
        values.keySet().retainAll(type.properties().stream().map(p -> p.name()).toList());
        sink.edit(new Edit(edit.offset(), edit.key(), edit.action(), values, edit.madeAt()));
      }
    }
  }

  private StageManifest changelog(Build build, Workplace place, int at) throws IOException {
    Datasource source = type.datasources().get(at);
    SortedMap<Long, Written> known = taken(source);
    Map<Long, Written> read = new HashMap<>();
    List<Transaction> transactions = new ArrayList<>();
    for (Written written : all(source.name())) {
      List<Long> earlier =
          known.entrySet().stream()
              .filter(was -> was.getValue().identity().equals(written.identity()))
              .map(Map.Entry::getKey)
              .toList();
      boolean isNew = !known.containsValue(written);
      long number =
          isNew
              ? (known.isEmpty() ? 1 : known.lastKey() + 1)
              : known.entrySet().stream()
                  .filter(was -> was.getValue().equals(written))
                  .mapToLong(Map.Entry::getKey)
                  .max()
                  .orElseThrow();
      known.put(number, written);
      if (isNew || build.isFull()) {
        read.put(number, written);
        transactions.add(
            new Transaction(
                number,
                written.identity(),
                Integer.toString(written.version()),
                isNew ? earlier : List.of()));
      }
    }
    if (build.isFull()) {
      known.values().retainAll(all(source.name()));
    }
    RowReader reader =
        (transaction, sink) -> {
          for (Row row : rows(read, transaction)) {
            List<@Nullable Object> values = row.values();
            sink.row(
                row.key(),
                new SourceRow(
                    transaction.number(),
                    row.ordering(),
                    values == null ? null : values.subList(0, source.properties().size())));
          }
          return transaction.version();
        };
    return ChangelogStage.run(build, place, at, transactions, reader);
  }

  private static List<Row> rows(Map<Long, Written> read, Transaction transaction) {
    Written written = read.get(transaction.number());
    if (written == null) {
      throw new IllegalStateException("nobody wrote " + transaction);
    }
    return written.rows();
  }

  /** The values of each object that is seen, by key. */
  SortedMap<String, List<@Nullable Object>> objects() throws IOException {
    return objects(ObjectDocuments.VISIBLE);
  }

  /** The values of each object that a query finds, by key. */
  SortedMap<String, List<@Nullable Object>> objects(Query query) throws IOException {
    IndexManifest manifest = newest;
    if (manifest == null) {
      return new TreeMap<>();
    }
    Path opening = Files.createDirectories(folder.resolve("open-" + opened++));
    // Of another process: it has no files yet.
    new SegmentFiles(folder.resolve("fetched-" + opened)).bring(store, manifest, opening);
    SortedMap<String, List<@Nullable Object>> found = new TreeMap<>();
    try (Directory directory = FSDirectory.open(opening);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      ObjectDocuments documents = new ObjectDocuments(type);
      StoredObjects stored = new StoredObjects(documents, reader);
      for (ScoreDoc hit : new IndexSearcher(reader).search(query, 1_000_000).scoreDocs) {
        String key = stored.key(hit.doc);
        documents.visible(key, stored.state(hit.doc)).ifPresent(values -> found.put(key, values));
      }
    }
    return found;
  }

  /** All that is known, seen or not. */
  static Query everything() {
    return new MatchAllDocsQuery();
  }

  /** The key of an object whose primary key is one number. */
  String key(long id) {
    return ObjectKey.of(type, Map.of(type.primaryKey().get(0), id));
  }
}
