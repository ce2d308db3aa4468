package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.index.stage.Build;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.index.stage.Workplace;
import dev.tidemark.activities.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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

  /** What anybody would write who has only to index them. */
  private double bare() throws IOException {
    ObjectDocuments documents = new ObjectDocuments(Customers.TYPE);
    Path target = Files.createDirectory(folder.resolve("bare-" + token++));
    long began = System.nanoTime();
    try (Directory directory = FSDirectory.open(target);
        IndexWriter writer = new IndexWriter(directory, ObjectDocuments.config())) {
      for (long id = 0; id < objects; id++) {
        ObjectState state = ObjectState.unknown(1).with(0, Customers.row(id, 1, 0));
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
    RowReader reader = Customers.reader(changed, objects / changed, now);
    Build build = new Build(Customers.TYPE, 1, generation, ++token, 0, previous);
    return Customers.index(
        build, place, new Transaction(generation, "day-" + now, "1", List.of()), reader);
  }
}
