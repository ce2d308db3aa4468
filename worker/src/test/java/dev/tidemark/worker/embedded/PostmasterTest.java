package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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

  private Path write(String... lines) throws Exception {
    return Files.write(data.resolve("postmaster.pid"), List.of(lines));
  }
}
