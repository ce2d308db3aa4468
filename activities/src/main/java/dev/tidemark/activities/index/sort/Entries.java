package dev.tidemark.activities.index.sort;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Entries, one after another. */
public interface Entries extends Closeable {

  /** The next one, null after the last. */
  @Nullable Entry next() throws IOException;
}
