package dev.tidemark.worker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.LedgerSettings;
import dev.tidemark.worker.configuration.TemporalSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.client.WorkflowStub;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle and started again; the worker is not touched. */
@Timeout(180)
class ServerKillTest {
  private static final int DAYS = 500;
  private static final int MIDDLE = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;
  private final ManyDays days = ManyDays.of(DAYS);
  @RegisterExtension final Processes processes = new Processes();
  private TemporalProcess temporal;
  private PostgresProcess postgres;
  private LedgerAudit audit;
  private Services services;
  private TidemarkClient tidemark;
  private WorkflowStub sweep;

  @BeforeEach
  void startAll() throws Exception {
    temporal = processes.add(new TemporalProcess(folder));
    postgres = processes.add(new PostgresProcess(folder));
    audit = new LedgerAudit(postgres.connections(), days.name());
    services = connect();
    days.register(services.ledger());
    processes.add(WorkerProcess.start(temporal.address(), postgres.url(), days)).awaitStarted();
    tidemark = new TidemarkClient(services.client(), days.name());
    sweep = tidemark.startSweep(days.name(), null, UUID.randomUUID().toString());
  }

  @AfterEach
  void disconnect() {
    services.close();
  }

  private Services connect() throws Exception {
    return Services.open(
        new Configuration(
            folder.resolve("tidemark.yaml"),
            new TemporalSettings(temporal.address(), "default", days.name()),
            new LedgerSettings(postgres.url(), null, null),
            Map.of(),
            List.of()),
        ServicesRequest.of(Services.Need.LEDGER_AND_TEMPORAL).with(ServicesRequest.Schema.MIGRATED),
        System.err::println);
  }

  @Test
  void goesOnWhenTemporalIsKilledAndComesBack() throws Exception {
    awaitTheMiddle();
    temporal.kill();
    assertThat(audit.committed()).isLessThan(DAYS);
    temporal.startAgain();
    assertThatAllIsCommittedOnce();
    assertThat(audit.outcomes()).containsOnlyKeys("committed");
  }

  // Invariant 10: infrastructure failures do not spend attempts
  @Test
  void goesOnWhenTheLedgerIsKilledAndComesBack() throws Exception {
    awaitTheMiddle();
    postgres.kill();
    postgres.startAgain();
    assertThat(audit.committed()).isLessThan(DAYS);
    assertThatAllIsCommittedOnce();
    assertThat(audit.outcomes().keySet()).isSubsetOf("committed", "superseded", "lost");
  }

  private void awaitTheMiddle() throws InterruptedException {
    audit.await("the sweep is under way", PATIENCE, () -> audit.committed() >= MIDDLE);
  }

  private void assertThatAllIsCommittedOnce() throws Exception {
    audit.await("all is done", PATIENCE, () -> audit.left() == 0);
    SweepReport report = tidemark.awaitSweep(sweep, PATIENCE);
    assertThat(report.completed()).isEqualTo(DAYS);
    assertThat(report.failed()).isZero();
    assertThat(audit.outcomes()).containsEntry("committed", DAYS);
    assertThat(audit.notAsAsked()).isEmpty();
    assertThat(audit.overlapping()).isEmpty();
    assertThat(audit.troubled()).isEmpty();
  }
}
