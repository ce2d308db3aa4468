package dev.tidemark.worker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.worker.embedded.TestPrograms;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.client.WorkflowStub;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Workers of two builds as versions of one worker deployment, and a sweep that both work on. */
@Timeout(180)
class RollingRestartTest {
  private static final int DAYS = 300;
  private static final int MIDDLE = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final ManyDays days = ManyDays.of(DAYS);
  private final TidemarkClient tidemark = new TidemarkClient(TestServices.client(), days.name());
  private final LedgerAudit audit = new LedgerAudit(TestServices.ledger(), days.name());
  @RegisterExtension final Processes processes = new Processes();

  // c-B7, c-B21: a deployment in the middle loses nothing and spends nothing
  @Test
  void theNewBuildGoesOnWithWhatTheOldOneBegan() throws Exception {
    days.register(TestServices.ledger());
    WorkerProcess old = start("build-1").awaitStarted();
    WorkerProcess next = start("build-2").awaitStarted();
    makeCurrent("build-1");
    WorkflowStub sweep = tidemark.startSweep(days.name(), null, UUID.randomUUID().toString());
    audit.await("the sweep is under way", PATIENCE, () -> audit.committed() >= MIDDLE);
    assertThat(audit.outcomesOf(next.identity())).as("not the current build yet").isEmpty();

    makeCurrent("build-2");
    boolean ended = old.terminate(Duration.ofSeconds(20));
    SweepReport report = tidemark.awaitSweep(sweep, PATIENCE);

    assertThat(ended).as("SIGTERM ends a worker within its grace").isTrue();
    assertThat(report.completed()).isEqualTo(DAYS);
    assertThat(report.failed()).isZero();
    assertThat(audit.outcomesOf(next.identity())).containsKey("committed");
    assertThat(audit.outcomes()).containsEntry("committed", DAYS);
    assertThat(audit.outcomes().keySet())
        .as("what could not finish was handed over")
        .isSubsetOf("committed", "released");
    assertThat(audit.left()).isZero();
    assertThat(audit.overlapping()).isEmpty();
    assertThat(audit.troubled()).isEmpty();
  }

  private WorkerProcess start(String build) throws Exception {
    return processes.add(
        WorkerProcess.startBuild(
            build, TestServices.temporalAddress(), TestServices.ledgerUrl(), days));
  }

  /** As docs/deployment.md says it; refused until the server has heard of the build's workers. */
  private void makeCurrent(String build) throws Exception {
    List<String> command =
        List.of(
            TestPrograms.temporal().toString(),
            "worker",
            "deployment",
            "set-current-version",
            "--address=" + TestServices.temporalAddress(),
            "--deployment-name=" + days.name(),
            "--build-id=" + build,
            "--yes");
    long giveUp = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(folder.resolve("temporal.log").toFile()))
              .start();
      if (process.waitFor() == 0) {
        return;
      }
      assertThat(System.nanoTime()).as("time to make %s current", build).isLessThan(giveUp);
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }
}
