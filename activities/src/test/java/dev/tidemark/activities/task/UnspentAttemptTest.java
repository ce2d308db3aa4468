package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is nobody's fault spends no attempt. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnspentAttemptTest {
  private static final OutputSpec OUTPUT = new OutputSpec.Hive("./out");

  @TempDir Path folder;
  private TestLedger ledger;
  private TestWorker worker;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
    worker = new TestWorker(ledger, folder);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private static TestPipeline daily() {
    return TestPipeline.daily("sales");
  }

  private static TaskSpec command(String script) {
    return new TaskSpec.Command(List.of("sh", "-c", script), Duration.ofMinutes(10));
  }

  private Path day() {
    return folder.resolve("out/sales/dt=2026-01-01");
  }

  @Test
  void spendsNothingWhereARequiredInputIsGone() throws Exception {
    RegisteredPipeline pipeline =
        ledger.register(daily().inputs(new InputSpec.Files("{partition}.csv", false)));

    PartitionOutcome outcome = worker.run(ledger.claim(pipeline));

    assertThat(outcome.kind()).isEqualTo(Kind.NOT_READY);
    assertThat(outcome.detail()).startsWith("no_input");
    assertThat(ledger.query("select no_input::text || failures from tidemark.partition_ledger"))
        .isEqualTo("true0");
  }

  // Invariant 10, c-B21: a full disk says nothing about the partition.
  @Test
  void spendsNothingWhereTheStoreIsFull() throws Exception {
    TaskSpec fills = command("ln -s /dev/full $TIDEMARK_OUTPUT/../0");
    RegisteredPipeline pipeline = ledger.register(daily().task(fills).output(OUTPUT));

    PartitionOutcome outcome = worker.run(ledger.claim(pipeline));

    assertThat(outcome.kind()).isEqualTo(Kind.NOT_READY);
    assertThat(outcome.detail()).contains("publish", "No space left on device");
    assertThat(ledger.query("select failures + failed_claims from tidemark.partition_ledger"))
        .isEqualTo("0");
    assertThat(day()).doesNotExist();
  }

  // c-B21
  @Test
  void spendsNothingWhereAFileIsInThePlaceOfTheOutputs() throws Exception {
    Files.createDirectory(folder.resolve("out"));
    Files.createFile(folder.resolve("out/sales"));
    RegisteredPipeline pipeline =
        ledger.register(daily().task(command("echo 1 > $TIDEMARK_OUTPUT/a.csv")).output(OUTPUT));

    PartitionOutcome outcome = worker.run(ledger.claim(pipeline));

    assertThat(outcome.kind()).isEqualTo(Kind.NOT_READY);
    assertThat(ledger.state("last_error"))
        .startsWith("cannot make the output folder: " + folder)
        .contains("a file where a folder must be");
  }

  @Test
  void leavesATaskThatThisWorkerDoesNotHaveToAnother() throws Exception {
    worker.objects.put("task", context -> {});
    RegisteredPipeline pipeline = ledger.register(daily());
    TaskBinding older = TaskBinding.to(List.of(daily().task(command("true")).build()));

    try (PartitionRunner runner = worker.runner(older)) {
      PartitionOutcome outcome = runner.run(ledger.claim(pipeline), 1, () -> {});

      assertThat(outcome.kind()).isEqualTo(Kind.RELEASED);
      assertThat(outcome.detail()).contains("differs from registered revision 1");
    }
    assertThat(ledger.query("select failures + lost from tidemark.partition_ledger"))
        .isEqualTo("0");
    ledger.endPause();
    assertThat(worker.run(ledger.claim(pipeline)).kind()).isEqualTo(Kind.COMMITTED);
  }

  // c-B21: the file got a connection after this worker had started
  @Test
  void spendsNothingWhereThisWorkerLacksTheConnection() throws Exception {
    RegisteredPipeline pipeline =
        ledger.register(
            daily().task(new TaskSpec.Sql("select 1", "added", null, Duration.ofMinutes(1))));

    PartitionOutcome outcome = worker.run(ledger.claim(pipeline));

    assertThat(outcome.kind()).isEqualTo(Kind.NOT_READY);
    assertThat(ledger.state("last_error")).contains("'added'", "[ledger]", "restart it");
  }

  // Graceful shutdown: handed over, nothing spent.
  @Test
  void givesBackWhatStillRunsAtShutdown() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    worker.objects.put(
        "task",
        context -> {
          started.countDown();
          new CountDownLatch(1).await();
        });
    RegisteredPipeline pipeline = ledger.register(daily());
    Claim claim = ledger.claim(pipeline);
    PartitionRunner runner = worker.runner();
    CompletableFuture<PartitionOutcome> outcome =
        CompletableFuture.supplyAsync(() -> runner.run(claim, 1, () -> {}));
    started.await();

    runner.close();

    assertThat(outcome.get())
        .isEqualTo(new PartitionOutcome(Kind.RELEASED, "the worker shut down"));
    assertThat(ledger.query("select failures + lost from tidemark.partition_ledger"))
        .isEqualTo("0");
  }
}
