package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code postmaster.pid} says after a kill, when its pid may be another program's. */
class PostmasterTest {
  @TempDir Path data;
  private Process stranger;

  @BeforeEach
  void startAProgramThatIsNoPostgres() throws Exception {
    stranger = new ProcessBuilder("sleep", "60").start();
  }

  @AfterEach
  void endIt() {
    stranger.destroyForcibly();
  }

  @Test
  void takesAStaleFileAwayAndLeavesTheStrangerWithItsPidAlone() throws Exception {
    Path file = write(String.valueOf(stranger.pid()), data.toString(), "1700000000", "5432");
    Postmaster.of(data).endLeftOver();
    assertThat(file).doesNotExist();
    assertThat(stranger.isAlive()).isTrue();
  }

  @Test
  void takesATornFileAway() throws Exception {
    Path file = write("not a pid");
    Postmaster.of(data).endLeftOver();
    assertThat(file).doesNotExist();
  }

  @Test
  void hasNothingToDoWhereNothingWasLeft() throws Exception {
    Postmaster.of(data).endLeftOver();
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void findsAProcessAgainOnlyByPidAndStart() {
    ServiceProcess recorded = ServiceProcess.of("sleep", stranger.toHandle());
    assertThat(recorded.find()).contains(stranger.toHandle());
    ServiceProcess reused =
        new ServiceProcess("temporal", stranger.pid(), recorded.started() - 60_000);
    assertThat(reused.find()).isEmpty();
    reused.end();
    assertThat(stranger.isAlive()).isTrue();
    recorded.end();
    assertThat(stranger.isAlive()).isFalse();
  }

  // In a container, process 1 may never ask how an orphan ended.
  @Test
  void doesNotTakeAProcessThatHasEndedUnnoticedForOneThatRuns() throws Exception {
    Process parent = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec sleep 60").start();
    try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      assertThat(ServiceProcess.runs(child)).isTrue();
      assertThat(ServiceProcess.of("sleep", child).find()).contains(child);
      child.destroyForcibly();
      assertThat(ServiceProcess.ends(child, Duration.ofSeconds(10))).isTrue();
      assertThat(ServiceProcess.of("sleep", child).find()).isEmpty();
      assertThat(parent.isAlive()).isTrue();
    } finally {
      parent.destroyForcibly();
    }
  }

  private Path write(String... lines) throws Exception {
    return Files.write(data.resolve("postmaster.pid"), List.of(lines));
  }
}
