package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.object.Edit;
import java.io.IOException;

/** The edits of an object type, as its definition sees them. */
@FunctionalInterface
public interface EditFeed {

  /** Gives the edits after an offset up to another one, inclusive, in their order. */
  void read(long after, long through, Sink sink) throws IOException;

  /** Takes one edit. */
  @FunctionalInterface
  interface Sink {
    void edit(Edit edit) throws IOException;
  }
}
