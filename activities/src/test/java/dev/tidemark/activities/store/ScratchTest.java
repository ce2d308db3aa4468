package dev.tidemark.activities.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchTest {
  @TempDir Path all;

  // A-g1: a killed process removes nothing, and its lock ends with it.
  @Test
  void removesWhatEndedProcessesHaveLeft() throws IOException {
    Path left = Files.createDirectories(all.resolve("left/task-1/files"));
    Files.writeString(left.resolve("a"), "x");
    Files.createFile(all.resolve("left.lock"));
    Files.createDirectories(all.resolve("half-removed/task-2"));
    Scratch alive = Scratch.in(all);
    Files.writeString(alive.folder().resolve("a"), "x");

    Scratch.removeAbandoned(all);

    assertThat(alive.folder().resolve("a")).exists();
    try (Stream<Path> rest = Files.list(all)) {
      assertThat(rest.map(path -> path.getFileName().toString().replace(".lock", "")).distinct())
          .containsExactlyElementsOf(List.of(alive.folder().getFileName().toString()));
    }
  }

  @Test
  void givesEachItsOwnFolder() throws IOException {
    Path one = Scratch.folder("task");
    Path two = Scratch.folder("task");
    try {
      assertThat(one).isEmptyDirectory().isNotEqualTo(two).hasParent(two.getParent());
      assertThat(one.toString()).contains("/tidemark-").contains("/task-");
    } finally {
      Durably.removeTree(one);
      Durably.removeTree(two);
    }
  }
}
