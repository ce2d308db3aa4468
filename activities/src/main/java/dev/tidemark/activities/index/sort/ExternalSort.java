package dev.tidemark.activities.index.sort;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.BytesRef;

/**
 * Sorts any number of entries by their keys in bounded memory: what is too much of it is written to
 * runs, which are merged. Entries of one key stay in the order in which they were added.
 */
public final class ExternalSort implements Closeable {
  /** Each run that is merged has a buffer. */
  private static final int MOST_RUNS = 64;

  private final Path folder;
  private final long memory;
  private final EntryBlocks added = new EntryBlocks();
  private final List<Path> runs = new ArrayList<>();
  private int written;

  /**
   * Begins a sort.
   *
   * @param folder for runs, which closing removes
   * @param memory bytes after which a run is written
   */
  public ExternalSort(Path folder, long memory) {
    this.folder = folder;
    this.memory = memory;
  }

  /** Adds an entry. */
  public void add(BytesRef key, BytesRef value) throws IOException {
    added.add(key, value);
    if (added.memory() >= memory) {
      spill();
    }
  }

  /** All entries, sorted; nothing may be added any more. */
  public Entries sorted() throws IOException {
    if (runs.isEmpty()) {
      return added.sorted();
    }
    spill();
    return merged();
  }

  private void spill() throws IOException {
    if (added.isEmpty()) {
      return;
    }
    write(added.sorted());
    added.clear();
    if (runs.size() == MOST_RUNS) {
      List<Path> all = List.copyOf(runs);
      Entries merged = merged();
      runs.clear();
      write(merged);
      for (Path run : all) {
        Files.delete(run);
      }
    }
  }

  private void write(Entries entries) throws IOException {
    Path run = folder.resolve("run-" + written++);
    try (entries;
        EntryFile.Writer writer = new EntryFile.Writer(run)) {
      for (Entry entry = entries.next(); entry != null; entry = entries.next()) {
        writer.write(entry.key(), entry.value());
      }
    }
    runs.add(run);
  }

  private Entries merged() throws IOException {
    List<Entries> open = new ArrayList<>();
    for (Path run : runs) {
      open.add(EntryFile.read(run));
    }
    return new MergedEntries(open);
  }

  /** How many runs were written. */
  int runs() {
    return written;
  }

  @Override
  public void close() throws IOException {
    added.clear();
    for (Path run : runs) {
      Files.deleteIfExists(run);
    }
  }
}
