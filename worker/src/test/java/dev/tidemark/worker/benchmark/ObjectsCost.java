package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.index.stage.Build;
import dev.tidemark.activities.index.stage.ChangelogStage;
import dev.tidemark.activities.index.stage.IndexStage;
import dev.tidemark.activities.index.stage.MergeStage;
import dev.tidemark.activities.index.stage.StageManifest;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.index.stage.Workplace;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A full reindex of objects whose rows are at hand, in turn with a bare Lucene index of the same
 * documents; then builds after a few of the rows have changed.
 */
final class ObjectsCost {
  private static final int[] CHANGED = {10, 1_000, 100_000};
  private static final Instant BEGIN = Instant.parse("2026-09-05T00:00:00Z");

  private final Path folder;
  private final int objects;
  private final Workplace place;
  private final List<Double> full = new ArrayList<>();
  private final List<Double> toBare = new ArrayList<>();
  private final Map<Integer, List<Double>> toFull = new TreeMap<>();
  private long token;
  private int version;

  private ObjectsCost(Path folder, int objects) throws IOException {
    this.folder = Files.createDirectory(folder.resolve("objects"));
    this.objects = objects;
    this.place =
        new Workplace(
            new LocalStore(this.folder.resolve("store"), Clock.systemUTC()),
            new SegmentFiles(this.folder.resolve("segments")),
            Watch.NONE);
  }

  static void run(Path folder, int objects, int rounds) throws IOException {
    // The compilers of the JVM are done after these.
    measure(folder, Math.max(1_000, objects / 5), 1);
    Figures.note("warmed up");
    ObjectsCost cost = measure(folder, objects, rounds);
    Figures.figure(
        "full reindex of %,d objects : bare Lucene index, time".formatted(objects),
        "%.2f (%.1f s)",
        Figures.median(cost.toBare),
        Figures.median(cost.full));
    cost.toFull.forEach(
        (changed, ratios) ->
            Figures.figure(
                "%,d of them changed : full reindex, time".formatted(changed),
                "%.4f",
                Figures.median(ratios)));
  }

  private static ObjectsCost measure(Path folder, int objects, int rounds) throws IOException {
    ObjectsCost cost = new ObjectsCost(folder, objects);
    for (int round = 0; round < rounds; round++) {
      cost.round();
    }
    Folders.remove(cost.folder);
    return cost;
  }

  private void round() throws IOException {
    double bare = bare();
    long began = System.nanoTime();
    IndexManifest newest = build(null, objects, 1);
    double reindex = seconds(began);
    full.add(reindex);
    toBare.add(reindex / bare);
    Figures.note("bare %.1f s, full reindex %.1f s".formatted(bare, reindex));
    for (int changed : CHANGED) {
      if (changed <= objects / 2) {
        began = System.nanoTime();
        newest = build(newest, changed, newest.generation() + 1);
        double took = seconds(began);
        Figures.note("%d changed: %.3f s".formatted(changed, took));
        toFull.computeIfAbsent(changed, any -> new ArrayList<>()).add(took / reindex);
      }
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static ObjectType type() {
    List<Property> properties =
        List.of(
            property("id", ColumnType.of(ColumnType.Kind.BIGINT)),
            new Property("name", ColumnType.of(ColumnType.Kind.STRING), true),
            property("city", ColumnType.of(ColumnType.Kind.STRING)),
            property("age", ColumnType.of(ColumnType.Kind.INT)),
            property("amount", ColumnType.decimal(12, 2)),
            property("score", ColumnType.of(ColumnType.Kind.DOUBLE)),
            property("active", ColumnType.of(ColumnType.Kind.BOOLEAN)),
            property("updated_at", ColumnType.of(ColumnType.Kind.TIMESTAMP)));
    return new ObjectType(
        "customer",
        List.of("id"),
        properties,
        List.of(
            new Datasource(
                "rows",
                new Datasource.FromFiles("rows"),
                new Datasource.Append(),
                properties.stream().map(Property::name).toList())),
        EditRules.DEFAULT,
        Rhythm.DEFAULT,
        "objects");
  }

  private static Property property(String name, ColumnType type) {
    return new Property(name, type, false);
  }

  private static SourceRow row(long id, long transaction, int version) {
    long mixed = (id * 0x9E3779B97F4A7C15L) >>> 8;
    return new SourceRow(
        transaction,
        null,
        List.of(
            id,
            "Customer number %d of street %d %d".formatted(id, mixed % 5_000, version),
            "city-" + mixed % 1_000,
            mixed % 90,
            BigDecimal.valueOf(mixed % 1_000_000, 2),
            mixed % 10_000 / 7.0,
            mixed % 3 == 0,
            BEGIN.plusSeconds(mixed % 100_000)));
  }

  /** What anybody would write who has only to index them. */
  private double bare() throws IOException {
    ObjectDocuments documents = new ObjectDocuments(type());
    Path target = Files.createDirectory(folder.resolve("bare-" + token++));
    long began = System.nanoTime();
    try (Directory directory = FSDirectory.open(target);
        IndexWriter writer = new IndexWriter(directory, ObjectDocuments.config())) {
      for (long id = 0; id < objects; id++) {
        ObjectState state = ObjectState.unknown(1).with(0, row(id, 1, 0));
        writer.addDocument(documents.document(Long.toString(id), state));
      }
    }
    double took = seconds(began);
    Folders.remove(target);
    return took;
  }

  /** A build after so many rows, all over the objects, have come or changed. */
  private IndexManifest build(@Nullable IndexManifest previous, int changed, long generation)
      throws IOException {
    int now = version++;
    long step = objects / changed;
    RowReader reader =
        (transaction, sink) -> {
          for (long i = 0; i < changed; i++) {
            sink.row(Long.toString(i * step), row(i * step, transaction.number(), now));
          }
          return transaction.version();
        };
    Build build = new Build(type(), 1, generation, ++token, 0, previous);
    List<Transaction> transactions =
        List.of(new Transaction(generation, "day-" + now, "1", List.of()));
    List<StageManifest> changelogs =
        List.of(ChangelogStage.run(build, place, 0, transactions, reader));
    StageManifest merged = MergeStage.run(build, place, changelogs, (after, through, sink) -> {});
    return IndexStage.run(build, place, merged, changelogs);
  }
}
