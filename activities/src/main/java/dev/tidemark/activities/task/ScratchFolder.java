package dev.tidemark.activities.task;

import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A folder that is thrown away with all that is in it; made when it is first asked for. */
final class ScratchFolder implements AutoCloseable {
  private @Nullable Path folder;

  Path open() throws IOException {
    Path made = folder;
    if (made == null) {
      made = Scratch.folder("task");
      folder = made;
    }
    return made;
  }

  @Override
  public void close() throws IOException {
    if (folder != null) {
      Durably.removeTree(folder);
    }
  }
}
