package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every task must keep so that it can be run again at any time (A48, A51). */
abstract class PartitionTaskContract {
  @TempDir Path folder;

  /** The task, as a configuration has it. */
  abstract TaskSpec task();

  /** Tasks given as objects. */
  Map<String, PartitionTask> objects() {
    return Map.of();
  }

  @Test
  void makesTheSameFilesWhenItIsRunTwice() throws Exception {
    SortedMap<String, String> first = outputOf("first");

    assertThat(first).isNotEmpty();
    assertThat(outputOf("second")).isEqualTo(first);
  }

  // Two attempts of one partition may run at once.
  @Test
  void writesNothingOutsideItsOutputFolder() throws Exception {
    outputOf("first");

    try (Stream<Path> entries = Files.list(folder)) {
      assertThat(entries.map(entry -> entry.getFileName().toString())).containsExactly("first");
    }
  }

  private SortedMap<String, String> outputOf(String name) throws Exception {
    Path output = Files.createDirectory(folder.resolve(name));
    TaskExecution.run(new Tasks(folder, Connections.NONE, objects()), task(), TaskRuns.in(output));
    SortedMap<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return contents;
  }
}
