package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import org.jspecify.annotations.Nullable;

/**
 * A slice of the current definition, and the windows that have it: [since, until).
 *
 * @param since the first of them: max(start, E(q)) (A21)
 * @param until the first window after them, null for no end; at or before {@code since} where the
 *     pipeline starts too late to have any
 */
public record ExpectedSlice(Slice slice, Window since, @Nullable Window until) {

  /** A slice without an end. */
  public ExpectedSlice(Slice slice, Window since) {
    this(slice, since, null);
  }

  /** Whether the window, if the pipeline has it, has this slice. */
  public boolean has(Window window) {
    return window.compareTo(since) >= 0 && !hasEndedBy(window);
  }

  boolean hasEndedBy(Window window) {
    return until != null && window.compareTo(until) >= 0;
  }

  /** The same from a later window on. */
  public ExpectedSlice from(Window first) {
    return new ExpectedSlice(slice, first, until);
  }
}
