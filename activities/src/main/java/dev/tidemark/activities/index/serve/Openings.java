package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.activities.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hydrates and opens generations beside everything else, one at a time; where that fails, what was
 * open stays open, and it is tried again a little later.
 */
final class Openings {
  private static final Logger log = LoggerFactory.getLogger(Openings.class);
  private static final String FILES = "files";
  private static final long PAUSE = Duration.ofSeconds(2).toNanos();

  private final Stores stores;
  private final ObjectIndexes indexes;
  private final ExecutorService threads;

  /** By index: what went wrong last, and when. */
  private final Map<Long, Problem> problems = new ConcurrentHashMap<>();

  private final Set<Long> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Path folder;

  private record Problem(String message, long at) {}

  Openings(Stores stores, ObjectIndexes indexes, ExecutorService threads) {
    this.stores = stores;
    this.indexes = indexes;
    this.threads = threads;
  }

  /** Why the newest generation of an index is not open; empty where nothing is wrong. */
  Optional<String> problem(long index) {
    return Optional.ofNullable(problems.get(index)).map(Problem::message);
  }

  /** Begins to open the newest generation of an index, unless that is under way. */
  void begin(OpenIndexes into, long index) {
    Problem problem = problems.get(index);
    boolean isDue = problem == null || System.nanoTime() - problem.at() > PAUSE;
    if (isDue && underWay.add(index)) {
      threads.execute(() -> openSafely(into, index));
    }
  }

  /** Removes what is kept of other indexes, but for what is served of them. */
  void keepOnly(Set<Long> wanted) {
    problems.keySet().retainAll(wanted);
    Path known = folder;
    if (known == null) {
      return;
    }
    try {
      new SegmentFiles(known.resolve(FILES)).keepOnly(wanted);
    } catch (IOException e) {
      log.warn("cannot remove files of indexes that are not served any more; tried again", e);
    }
  }

  private void openSafely(OpenIndexes into, long index) {
    try {
      open(into, indexes.get(index));
      problems.remove(index);
    } catch (IOException | RuntimeException e) {
      if (!threads.isShutdown()) {
        log.warn("cannot open the newest generation of index {}; tried again", index, e);
      }
      problems.put(index, new Problem(String.valueOf(e.getMessage()), System.nanoTime()));
    } finally {
      underWay.remove(index);
    }
  }

  private synchronized void open(OpenIndexes into, ObjectIndex index) throws IOException {
    OutputStore store = stores.open(index.type().location());
    String address = Objects.requireNonNull(index.built().manifest());
    IndexManifest manifest = IndexManifest.at(store, index.type().name(), index.id(), address);
    Path generation = Files.createTempDirectory(folder(), "generation-");
    ServedIndex fresh;
    try {
      new SegmentFiles(folder().resolve(FILES)).bring(store, manifest, generation);
      fresh = ServedIndex.open(index, manifest, generation);
    } catch (IOException | RuntimeException e) {
      Durably.removeTree(generation);
      throw e;
    }
    try {
      into.admit(fresh);
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
  }

  private Path folder() throws IOException {
    Path known = folder;
    if (known == null) {
      known = Scratch.folder("objects");
      folder = known;
    }
    return known;
  }

  /** Removes what was hydrated; nothing is open any more. */
  synchronized void close() {
    Path known = folder;
    try {
      if (known != null) {
        Durably.removeTree(known);
      }
    } catch (IOException e) {
      log.warn("cannot remove {}; the next process does", known, e);
    }
  }
}
