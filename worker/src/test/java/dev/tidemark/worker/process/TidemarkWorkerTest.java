package dev.tidemark.worker.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.client.WorkflowStub;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole worker: real Temporal, real PostgreSQL, tasks in Java. */
@Timeout(120)
class TidemarkWorkerTest {
  private static final Instant TENTH = Instant.parse("2026-01-11T00:30:00Z");

  @TempDir Path folder;
  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final TidemarkClient tidemark = new TidemarkClient(TestServices.client(), name);
  private Pipeline pipeline;
  private RegisteredPipeline registered;

  @BeforeEach
  void register() {
    pipeline =
        Pipeline.named(name)
            .daily(ZoneOffset.UTC)
            .from("2026-01-01")
            .until("2026-01-11")
            .task(context -> {})
            .build();
    registered =
        new Definitions(TestServices.ledger()).register(pipeline.definition(), "test").pipeline();
  }

  // A37
  @Test
  void runsASweepFromTheClientToTheLedger() throws Exception {
    try (TidemarkWorker worker = start(context -> {}, Duration.ofSeconds(30))) {
      assertThat(worker).isNotNull();
      SweepReport report = tidemark.awaitSweep(sweep(), Duration.ofSeconds(60));
      assertThat(report.planned()).isEqualTo(10);
      assertThat(report.completed()).isEqualTo(10);
      assertThat(report.failed()).isZero();
      assertThat(report.remaining()).isZero();
    }
    assertThat(status().counts()).containsEntry("completed", 10);
  }

  // Graceful shutdown: in-flight partitions finish
  @Test
  void letsPartitionsInFlightFinishWithinTheGrace() throws Exception {
    CountDownLatch begun = new CountDownLatch(10);
    CountDownLatch go = new CountDownLatch(1);
    TidemarkWorker worker =
        start(
            context -> {
              begun.countDown();
              go.await();
            },
            Duration.ofSeconds(60));
    sweep();
    begun.await();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(worker::close);
    go.countDown();
    closed.get();
    assertThat(status().counts()).containsEntry("completed", 10);
    assertThat(attempts())
        .allSatisfy(attempt -> assertThat(attempt.outcome()).isEqualTo("committed"));
  }

  // ... or hand over: nothing is lost, nothing is spent
  @Test
  void handsOverWhatDoesNotFinishWithinTheGrace() throws Exception {
    CountDownLatch begun = new CountDownLatch(10);
    TidemarkWorker first =
        start(
            context -> {
              begun.countDown();
              new CountDownLatch(1).await();
            },
            Duration.ofMillis(100));
    WorkflowStub sweep = sweep();
    begun.await();
    first.close();

    try (TidemarkWorker second = start(context -> {}, Duration.ofSeconds(30))) {
      assertThat(second).isNotNull();
      assertThat(tidemark.awaitSweep(sweep, Duration.ofSeconds(90)).remaining()).isZero();
    }
    assertThat(status().counts()).containsEntry("completed", 10);
    assertThat(attempts())
        .extracting(LedgerReader.AttemptView::outcome)
        .containsExactly("committed", "released");
  }

  private WorkflowStub sweep() {
    return tidemark.startSweep(name, TENTH, UUID.randomUUID().toString());
  }

  private TidemarkWorker start(PartitionTask task, Duration grace) {
    return TidemarkWorker.start(
        TestServices.client(),
        TestServices.ledger(),
        new WorkerSetup(
            name,
            folder,
            Map.of(),
            List.of(pipeline.definition()),
            new Bindings(Map.of(name, task), Map.of()),
            grace));
  }

  private LedgerReader.Status status() {
    return new LedgerReader(TestServices.ledger()).status(registered, TENTH);
  }

  private List<LedgerReader.AttemptView> attempts() {
    return new LedgerReader(TestServices.ledger())
        .attempts(registered, Slice.EMPTY, "2026-01-05", 10);
  }
}
