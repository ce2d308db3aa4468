package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.database.LedgerException;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.Publication;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PartitionRunnerTest {
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

  private List<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void runsATaskAndSettlesIt() throws Exception {
    worker.objects.put("task", context -> context.log("done " + context.window().label()));
    RegisteredPipeline pipeline = ledger.register(daily());

    PartitionOutcome outcome = worker.run(ledger.claim(pipeline));

    assertThat(outcome.kind()).isEqualTo(Kind.COMMITTED);
    assertThat(ledger.state("state")).isEqualTo("completed");
    assertThat(ledger.attempts("log")).isEqualTo("done 2026-01-01");
  }

  @Test
  void publishesWhatACommandLeaves() throws Exception {
    RegisteredPipeline pipeline =
        ledger.register(daily().task(command("echo 1 > $TIDEMARK_OUTPUT/a.csv")).output(OUTPUT));

    worker.run(ledger.claim(pipeline));

    String token = ledger.attempts("token");
    assertThat(names(day())).containsExactly("_manifest.json", "part-00000-" + token + ".csv");
    assertThat(ledger.state("output")).isEqualTo(day().toString());
    assertThat(ledger.state("bytes")).isEqualTo("2");
    assertThat(names(folder.resolve("out/sales/_staging"))).isEmpty();
  }

  // C-g2: the version that was read, not the one that came while the task ran.
  @Test
  void commitsTheVersionThatItReadBeforeTheTask() throws Exception {
    Files.writeString(folder.resolve("2026-01-01.csv"), "before");
    worker.objects.put(
        "task",
        context -> {
          context.log(String.valueOf(context.inputVersion()));
          Files.writeString(folder.resolve("2026-01-01.csv"), "while it ran");
        });
    RegisteredPipeline pipeline =
        ledger.register(daily().inputs(new InputSpec.Files("{partition}.csv", false)));

    worker.run(ledger.claim(pipeline));

    assertThat(ledger.state("processed_version")).isEqualTo(ledger.attempts("log"));
    assertThat(ledger.state("late")).isEqualTo("f");
  }

  @Test
  void throwsWhereAnotherAttemptOfTheClaimFollowsAndReturnsTheEnd() throws Exception {
    RegisteredPipeline pipeline = ledger.register(daily().task(command("echo why; exit 3")));
    Claim claim = ledger.claim(pipeline);

    ApplicationFailure first =
        catchThrowableOfType(ApplicationFailure.class, () -> worker.attempt(claim, 1));
    ApplicationFailure second =
        catchThrowableOfType(ApplicationFailure.class, () -> worker.attempt(claim, 2));
    PartitionOutcome third = worker.attempt(claim, 3);

    assertThat(first.isNonRetryable()).isFalse();
    assertThat(first.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(10));
    assertThat(first.getOriginalMessage()).isEqualTo("exit code 3: why");
    assertThat(second.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(20));
    assertThat(third.kind()).isEqualTo(Kind.FAILED);
    assertThat(ledger.state("last_error")).isEqualTo("exit code 3: why");
  }

  @Test
  void parksBadDataAtOnce() throws Exception {
    RegisteredPipeline pipeline = ledger.register(daily().task(command("exit 65")));

    assertThat(worker.run(ledger.claim(pipeline)).kind()).isEqualTo(Kind.PARKED);
  }

  // c-B16: a bound besides the heartbeat.
  @Test
  void endsATaskThatHangs() throws Exception {
    TaskSpec hangs = new TaskSpec.Command(List.of("sleep", "300"), Duration.ofSeconds(1));
    RegisteredPipeline pipeline = ledger.register(daily().task(hangs));

    ApplicationFailure failure =
        catchThrowableOfType(ApplicationFailure.class, () -> worker.run(ledger.claim(pipeline)));

    assertThat(failure.getOriginalMessage()).isEqualTo("timed out after 1s");
  }

  // A10, c-D1, A43: a failing run leaves the earlier commit readable, and nothing of itself.
  @Test
  void leavesTheEarlierCommitReadableIfItFails() throws Exception {
    Path fails = folder.resolve("fails");
    RegisteredPipeline pipeline =
        ledger.register(
            daily()
                .task(command("echo 1 > $TIDEMARK_OUTPUT/a.csv; test ! -e fails"))
                .output(OUTPUT));
    worker.run(ledger.claim(pipeline));
    List<String> before = names(day());
    Files.createFile(fails);
    ledger.lose();

    Claim again = ledger.claim(pipeline);
    assertThatThrownBy(() -> worker.run(again)).isInstanceOf(ApplicationFailure.class);

    assertThat(names(day())).isEqualTo(before);
    assertThat(names(folder.resolve("out/sales/_staging"))).isEmpty();
  }

  // A45: published, then killed before it settled: settled as it stands, not run again.
  @Test
  void settlesTheCommitOfAnAttemptThatEndedBeforeItsSettle() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    worker.objects.put("task", context -> runs.incrementAndGet());
    Files.writeString(folder.resolve("2026-01-01.csv"), "x");
    RegisteredPipeline pipeline =
        ledger.register(
            daily().inputs(new InputSpec.Files("{partition}.csv", false)).output(OUTPUT));
    Claim claim = ledger.claim(pipeline);
    Begun killed = publishAndDie(claim);

    PartitionOutcome outcome = worker.attempt(claim, 2);

    assertThat(outcome.kind()).isEqualTo(Kind.COMMITTED);
    assertThat(runs).hasValue(0);
    assertThat(ledger.state("processed_version")).isEqualTo("v1");
    assertThat(names(day()))
        .containsExactly("_manifest.json", "part-00000-" + killed.token() + ".csv");
    // Ledger and manifest name one token, whichever attempt settled.
    assertThat(
            ledger.query("select committed_token || ',' || files from tidemark.partition_ledger"))
        .isEqualTo(killed.token() + ",1");
  }

  private Begun publishAndDie(Claim claim) throws Exception {
    Begun killed = (Begun) ledger.attempts.begin(claim, 1, "killed");
    ledger.attempts.observed(killed.token(), "v1", ledger.observations.now());
    try (Publication publication = ledger.publisher.open(killed, OUTPUT)) {
      Files.writeString(publication.folder().resolve("a.csv"), "1");
      publication.publish("v1", Contents.of(null));
    }
    return killed;
  }

  // Invariant 5: a request that asks for more than the killed attempt delivers is not lost with it.
  @Test
  void runsAgainWhereMoreWasAskedForThanTheCommitDelivers() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    worker.objects.put("task", context -> runs.incrementAndGet());
    RegisteredPipeline pipeline = ledger.register(daily().output(OUTPUT));
    Claim claim = ledger.claim(pipeline);
    publishAndDie(claim);
    ledger.database.execute("update tidemark.partition_ledger set requested_gen = running_gen + 1");

    assertThat(worker.attempt(claim, 2).kind()).isEqualTo(Kind.COMMITTED);

    assertThat(runs).hasValue(1);
    assertThat(names(day())).containsExactly("_manifest.json");
  }

  // A43, A44, c-J1: killed before the marker: run again, the leftover is taken away.
  @Test
  void runsAgainWhatWasNotPublished() throws Exception {
    worker.objects.put("task", context -> Files.writeString(context.output().resolve("a"), "2"));
    RegisteredPipeline pipeline = ledger.register(daily().output(OUTPUT));
    Claim claim = ledger.claim(pipeline);
    Begun killed = (Begun) ledger.attempts.begin(claim, 1, "killed");
    Publication abandoned = ledger.publisher.open(killed, OUTPUT);
    Files.writeString(abandoned.folder().resolve("half"), "1");

    assertThat(worker.attempt(claim, 2).kind()).isEqualTo(Kind.COMMITTED);

    assertThat(names(folder.resolve("out/sales/_staging"))).isEmpty();
    assertThat(names(day())).hasSize(2).contains("_manifest.json");
  }

  // A15, B-g7, c-J7: nothing is a valid, complete partition, and replaces what was there.
  @Test
  void commitsAnEmptyPartition() throws Exception {
    Path empty = folder.resolve("empty");
    RegisteredPipeline pipeline =
        ledger.register(
            daily()
                .task(command("test -e empty || echo 1 > $TIDEMARK_OUTPUT/a.csv"))
                .output(OUTPUT));
    worker.run(ledger.claim(pipeline));
    Files.createFile(empty);
    ledger.lose();

    assertThat(worker.run(ledger.claim(pipeline)).kind()).isEqualTo(Kind.COMMITTED);

    assertThat(names(day())).containsExactly("_manifest.json");
    assertThat(ledger.state("bytes")).isEqualTo("0");
  }

  @Test
  void countsARefusedOutputAsAFailureOfTheTask() throws Exception {
    RegisteredPipeline pipeline =
        ledger.register(daily().task(command("mkdir $TIDEMARK_OUTPUT/sub")).output(OUTPUT));

    ApplicationFailure failure =
        catchThrowableOfType(ApplicationFailure.class, () -> worker.run(ledger.claim(pipeline)));

    assertThat(failure.getOriginalMessage()).contains("'sub'", "a folder");
    assertThat(day()).doesNotExist();
  }

  // A rolling restart: workers with old and new files side by side run what is registered.
  @Test
  void runsTheRegisteredCommandWhateverTheWorkersOwnFileSays() throws Exception {
    RegisteredPipeline pipeline = ledger.register(daily().task(command("echo registered")));
    TaskBinding older = TaskBinding.to(List.of(daily().task(command("exit 65")).build()));

    try (PartitionRunner runner = worker.runner(older)) {
      assertThat(runner.run(ledger.claim(pipeline), 1, () -> {}).kind()).isEqualTo(Kind.COMMITTED);
    }
    assertThat(ledger.attempts("log")).isEqualTo("registered");
  }

  // c-A15, c-B13: a lost claim ends the task and publishes nothing.
  @Test
  void publishesNothingOnceALaterAttemptHasBegun() throws Exception {
    RegisteredPipeline pipeline = ledger.register(daily().output(OUTPUT));
    Claim claim = ledger.claim(pipeline);
    worker.objects.put(
        "task",
        context -> {
          Files.writeString(context.output().resolve("zombie.csv"), "1");
          ledger.attempts.begin(claim, 2, "later");
        });

    assertThat(worker.run(claim).kind()).isEqualTo(Kind.RELEASED);

    assertThat(day()).doesNotExist();
    assertThat(names(folder.resolve("out/sales/_staging"))).isEmpty();
  }

  // A task without inputs and output costs the ledger its begin and its settle; the definition is
  // read once for all.
  @Test
  void asksTheLedgerTwiceForATaskThatOnlyRuns() throws Exception {
    worker.objects.put("task", context -> {});
    Claim claim = ledger.claim(ledger.register(daily()));
    CountingDataSource counted = new CountingDataSource(ledger.database.dataSource());

    try (PartitionRunner runner = worker.on(counted.dataSource())) {
      assertThat(runner.run(claim, 1, () -> {}).kind()).isEqualTo(Kind.COMMITTED);
    }

    assertThat(counted.connections()).isEqualTo(1 + 2);
  }

  // Infrastructure: thrown, nothing settled, Temporal tries again.
  @Test
  void settlesNothingWhereTheLedgerCannotBeReached() throws Exception {
    RegisteredPipeline pipeline = ledger.register(daily());
    Claim claim = ledger.claim(pipeline);
    worker.objects.put("task", context -> ledger.database.close());

    assertThat(catchThrowableOfType(LedgerException.class, () -> worker.run(claim))).isNotNull();
  }
}
