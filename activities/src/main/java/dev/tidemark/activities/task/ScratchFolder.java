package dev.tidemark.activities.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder that is thrown away with all that is in it; made when it is first asked for. */
final class ScratchFolder implements AutoCloseable {
  private @Nullable Path folder;

  Path open() throws IOException {
    Path made = folder;
    if (made == null) {
      made = Files.createTempDirectory("tidemark-task-");
      folder = made;
    }
    return made;
  }

  @Override
  public void close() throws IOException {
    if (folder == null) {
      return;
    }
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(folder)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
