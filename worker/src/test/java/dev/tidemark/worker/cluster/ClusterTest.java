package dev.tidemark.worker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.TidemarkClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two worker processes on one Temporal server and one ledger, and more than one who asks. */
@Timeout(180)
class ClusterTest {
  private static final int DAYS = 2_000;

  private final ManyDays days = ManyDays.of(DAYS);
  private final TidemarkClient tidemark = new TidemarkClient(TestServices.client(), days.name());
  private final LedgerAudit audit = new LedgerAudit(TestServices.ledger(), days.name());
  @RegisterExtension final Processes processes = new Processes();

  // Invariants 1 and 5; c-A2, c-A12
  @Test
  void commitsEachPartitionExactlyAsOftenAsItsGenerationsAsk() throws Exception {
    days.register(TestServices.ledger());
    List<WorkerProcess> workers = List.of(startWorker(), startWorker());
    for (WorkerProcess worker : workers) {
      worker.awaitStarted();
    }
    tidemark.startSweep(days.name(), null, UUID.randomUUID().toString());
    audit.await(
        "the sweep is under way", Duration.ofMinutes(1), () -> audit.committed() >= DAYS / 10);

    CompletableFuture<BackfillView> older = ask(0, 1_299);
    CompletableFuture<BackfillView> newer = ask(700, 1_999);
    assertThat(older.get().partitions()).isEqualTo(1_300);
    assertThat(newer.get().partitions()).isEqualTo(1_300);
    audit.await("all is done", Duration.ofMinutes(2), () -> audit.left() == 0);

    assertThat(audit.notAsAsked()).isEmpty();
    assertThat(audit.overlapping()).isEmpty();
    assertThat(audit.troubled()).isEmpty();
    assertThat(audit.outcomes()).containsOnlyKeys("committed");
    assertThat(audit.outcomes().get("committed"))
        .as("what the sweep had done was done again, and nothing three times in vain")
        .isBetween(DAYS + DAYS / 10, 3 * DAYS);
    assertThat(workers)
        .as("both took part")
        .allMatch(worker -> audit.outcomesOf(worker.identity()).containsKey("committed"));
  }

  private WorkerProcess startWorker() throws Exception {
    return processes.add(
        WorkerProcess.start(TestServices.temporalAddress(), TestServices.ledgerUrl(), days));
  }

  private CompletableFuture<BackfillView> ask(int first, int last) {
    return CompletableFuture.supplyAsync(
        () -> tidemark.requestBackfill(days.name(), days.all(first, last)));
  }
}
