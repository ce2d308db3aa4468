package dev.tidemark.worker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker process that is killed in the middle, and another that goes on. */
@Timeout(180)
class WorkerKillTest {
  private static final int DAYS = 500;
  private static final int BEFORE_STUCK = 50;
  private static final int LOST = 20;

  /** What was held by the dead is free for others. */
  private static final Duration LEASE = Duration.ofSeconds(90);

  private final ManyDays days = ManyDays.of(DAYS);
  private final TidemarkClient tidemark = new TidemarkClient(TestServices.client(), days.name());
  private final LedgerAudit audit = new LedgerAudit(TestServices.ledger(), days.name());
  @RegisterExtension final Processes processes = new Processes();

  // Invariant 10; B9, c-B4
  @Test
  void whatAKilledWorkerHeldIsRunByAnotherWithinTheLease() throws Exception {
    days.register(TestServices.ledger());
    String temporal = TestServices.temporalAddress();
    String ledger = TestServices.ledgerUrl();
    WorkerProcess killed =
        processes.add(WorkerProcess.startStuckAfter(BEFORE_STUCK, temporal, ledger, days));
    WorkerProcess other = processes.add(WorkerProcess.start(temporal, ledger, days));
    killed.awaitStarted();
    other.awaitStarted();
    WorkflowStub sweep = tidemark.startSweep(days.name(), null, UUID.randomUUID().toString());
    audit.await(
        "it is stuck in some",
        Duration.ofMinutes(1),
        () -> committed(killed) == BEFORE_STUCK && running(killed) >= LOST);

    killed.kill();
    int lost = running(killed);
    audit.await("another has begun what it held", LEASE, () -> running(killed) == 0);
    SweepReport report = tidemark.awaitSweep(sweep, Duration.ofMinutes(2));

    assertThat(report.completed()).isEqualTo(DAYS);
    assertThat(report.failed()).isZero();
    assertThat(audit.outcomesOf(killed.identity()))
        .as("counted as lost, not as failed")
        .isEqualTo(Map.of("committed", BEFORE_STUCK, "superseded", lost));
    assertThat(audit.outcomesOf(other.identity()))
        .isEqualTo(Map.of("committed", DAYS - BEFORE_STUCK));
    assertThat(audit.left()).isZero();
    assertThat(audit.notAsAsked()).isEmpty();
    assertThat(audit.overlapping()).isEmpty();
    assertThat(audit.troubled()).isEmpty();
  }

  private int committed(WorkerProcess worker) {
    return audit.outcomesOf(worker.identity()).getOrDefault("committed", 0);
  }

  private int running(WorkerProcess worker) {
    return audit.outcomesOf(worker.identity()).getOrDefault("running", 0);
  }
}
