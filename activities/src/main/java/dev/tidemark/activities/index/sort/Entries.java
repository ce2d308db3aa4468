package dev.tidemark.activities.index.sort;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries, one after another. */
public interface Entries extends Closeable {

  /** The next one, null after the last. */
  @Nullable Entry next() throws IOException;

  /** Those of a list. */
  static Entries of(List<Entry> list) {
    Iterator<Entry> iterator = list.iterator();
    return new Entries() {
      @Override
      public @Nullable Entry next() {
        return iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
