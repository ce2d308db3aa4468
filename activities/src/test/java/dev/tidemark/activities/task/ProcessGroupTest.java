package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ProcessGroupTest {
  @TempDir Path folder;

  // Also where there is no setsid to make a group with.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsTheCommandAndItsDescendants(boolean grouped) throws Exception {
    List<String> command =
        List.of("sh", "-c", "(sleep 300 & echo $! >> pids; wait) & echo $$ >> pids; wait");
    Process process =
        new ProcessBuilder(grouped ? ProcessGroup.launch(command) : command)
            .directory(folder.toFile())
            .start();
    List<ProcessHandle> started = new ArrayList<>();
    while (started.size() < 2) {
      Path pids = folder.resolve("pids");
      started.clear();
      for (String pid : Files.exists(pids) ? Files.readAllLines(pids) : List.<String>of()) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(started::add);
      }
    }

    new ProcessGroup(process, grouped).end();

    assertThat(process.isAlive()).isFalse();
    assertThat(started).noneMatch(ProcessHandle::isAlive);
  }
}
