package dev.tidemark.activities.index.sort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Sorted entries as one; those of one key in the order of where they come from. */
public final class MergedEntries implements Entries {
  private final List<Entries> sources;
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(
          Comparator.<Head, BytesRef>comparing(head -> head.entry().key())
              .thenComparingInt(Head::source));
  private @Nullable Head last;

  /** The next entry of a source. */
  private record Head(Entry entry, int source) {}

  /**
   * Takes over the sources: they are closed with this.
   *
   * @param sources each sorted by itself
   */
  public MergedEntries(List<? extends Entries> sources) throws IOException {
    this.sources = List.copyOf(sources);
    for (int i = 0; i < this.sources.size(); i++) {
      advance(i);
    }
  }

  private void advance(int source) throws IOException {
    Entry next = sources.get(source).next();
    if (next != null) {
      heads.add(new Head(next, source));
    }
  }

  @Override
  public @Nullable Entry next() throws IOException {
    if (last != null) {
      advance(last.source());
    }
    last = heads.poll();
    return last == null ? null : last.entry();
  }

  /** The place among the sources of where the last entry came from. */
  public int source() {
    if (last == null) {
      throw new IllegalStateException("there is no last entry");
    }
    return last.source();
  }

  @Override
  public void close() throws IOException {
    List<IOException> failed = new ArrayList<>();
    for (Entries source : sources) {
      try {
        source.close();
      } catch (IOException e) {
        failed.add(e);
      }
    }
    if (!failed.isEmpty()) {
      throw failed.get(0);
    }
  }
}
