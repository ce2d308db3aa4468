package dev.tidemark.workflows.sweep;

import static dev.tidemark.workflows.sweep.FakeLedger.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.client.WorkflowStub;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SweepTest {
  private final FakeLedger ledger = new FakeLedger();
  private final FakePartitions partitions = new FakePartitions(ledger);
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(ledger, partitions);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void runsEverythingThatIsDueAndReports() throws Exception {
    ledger.due(10);

    SweepReport report = sweepByHand();

    assertThat(report)
        .isEqualTo(new SweepReport(PIPELINE, FakeLedger.NOW, 10, 10, 10, 0, 0, false));
  }

  private SweepReport sweepByHand() throws Exception {
    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, "r1");
    return server.client().awaitSweep(sweep, Duration.ofSeconds(50));
  }
}
