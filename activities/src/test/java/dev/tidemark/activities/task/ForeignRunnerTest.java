package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.foreign.ForeignActivities;
import dev.tidemark.workflows.foreign.ForeignFailure;
import dev.tidemark.workflows.foreign.ForeignInput;
import dev.tidemark.workflows.foreign.ForeignResult;
import dev.tidemark.workflows.foreign.ForeignSettled;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.testing.TestActivityEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a partition whose task another SDK runs; the task itself is the test. */
class ForeignRunnerTest {
  private static final TaskSpec TASK =
      new TaskSpec.Activity(
          "Summarise",
          "python",
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Duration.ofHours(1));

  @TempDir Path folder;
  private TestLedger ledger;
  private PartitionRunner partitions;
  private TestActivityEnvironment temporal;
  private ForeignActivities foreign;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
    partitions = new TestWorker(ledger, folder).runner();
    temporal = TestActivityEnvironment.newInstance();
    temporal.registerActivitiesImplementations(partitions.foreign());
    foreign = temporal.newActivityStub(ForeignActivities.class);
  }

  @AfterEach
  void close() {
    temporal.close();
    partitions.close();
    ledger.close();
  }

  private static TestPipeline daily() {
    return TestPipeline.daily("sales").task(TASK).output(new OutputSpec.Hive("./out"));
  }

  private Claim claim(TestPipeline pipeline) throws Exception {
    return ledger.claim(ledger.register(pipeline));
  }

  /** Unlike a server, this environment counts its attempts from 0. */
  private ForeignInput begin(Claim claim, int after) {
    return Objects.requireNonNull(foreign.begin(claim, after + 1).input(), "it has begun");
  }

  private static void write(ForeignInput input, String name) throws IOException {
    Files.writeString(Path.of(Objects.requireNonNull(input.output())).resolve(name), "one\n");
  }

  private Path day() {
    return folder.resolve("out/sales/dt=2026-01-01");
  }

  private static @Nullable Kind kind(ForeignSettled settled) {
    PartitionOutcome outcome = settled.outcome();
    return outcome == null ? null : outcome.kind();
  }

  @Test
  void aTaskGetsWhatItNeedsAndWhatItWroteIsPublished() throws Exception {
    Files.createDirectory(folder.resolve("in"));
    Files.writeString(folder.resolve("in/2026-01-01.csv"), "x");
    Claim claim = claim(daily().inputs(new InputSpec.Files("in/{partition}.csv", false)));

    ForeignInput input = begin(claim, 0);

    assertThat(input.pipeline()).isEqualTo("sales");
    assertThat(input.partition()).isEqualTo(TestLedger.DAY);
    assertThat(input.windowStart()).isEqualTo(Instant.parse("2025-12-31T21:00:00Z"));
    assertThat(input.windowEnd()).isEqualTo(TestLedger.NOW);
    assertThat(input.zone()).isEqualTo("Europe/Istanbul");
    assertThat(input.attempt()).isOne();
    assertThat(Path.of(Objects.requireNonNull(input.output()))).isEmptyDirectory();
    // For as long as nobody here can renew it.
    assertThat(
            ledger.query(
                "select lease_until > now() + interval '79 minutes' from tidemark.partition_ledger"))
        .isEqualTo("t");

    write(input, "a.csv");
    ForeignResult result = new ForeignResult(List.of("a.csv"), 7L);

    assertThat(kind(foreign.publish(claim, input.token(), result))).isEqualTo(Kind.COMMITTED);
    assertThat(day().resolve("part-00000-" + input.token() + ".csv")).hasContent("one\n");
    assertThat(ledger.state("rows")).isEqualTo("7");
    assertThat(ledger.state("processed_version")).isEqualTo(input.inputVersion());
    assertThat(folder.resolve("out/sales/_staging")).isEmptyDirectory();
  }

  // Invariant 2; A-g1, c-B13
  @Test
  void onlyTheNewestAttemptPublishesAndTheStagingOfAnEarlierOneIsTakenAway() throws Exception {
    Claim claim = claim(daily());
    ForeignInput zombie = begin(claim, 0);
    ForeignInput newest = begin(claim, zombie.attempt());
    write(zombie, "a.csv");
    write(newest, "a.csv");

    assertThat(kind(foreign.publish(claim, zombie.token(), new ForeignResult(null, null))))
        .isEqualTo(Kind.RELEASED);
    assertThat(day()).doesNotExist();
    assertThat(kind(foreign.publish(claim, newest.token(), new ForeignResult(null, null))))
        .isEqualTo(Kind.COMMITTED);
    assertThat(folder.resolve("out/sales/_staging")).isEmptyDirectory();
    assertThat(ledger.attempts("outcome")).isEqualTo("superseded,committed");
  }

  @Test
  void aResultThatIsNotWhatIsThereIsAFailure() throws Exception {
    Claim claim = claim(daily());
    ForeignInput input = begin(claim, 0);
    write(input, "a.csv");

    ForeignSettled settled =
        foreign.publish(claim, input.token(), new ForeignResult(List.of("a.csv", "b.csv"), null));

    assertThat(settled.retryInMillis()).isEqualTo(10_000);
    assertThat(ledger.state("last_error")).contains("differ: missing are 1: b.csv");
    assertThat(day()).doesNotExist();
    assertThat(folder.resolve("out/sales/_staging")).isEmptyDirectory();
  }

  // B21
  @Test
  void namesAreRefusedAsThoseOfACommandAre() throws Exception {
    Claim claim = claim(daily());
    ForeignInput input = begin(claim, 0);
    write(input, "_SUCCESS");

    foreign.publish(claim, input.token(), new ForeignResult(null, null));

    assertThat(ledger.state("last_error")).contains("'_SUCCESS'", "kept for metadata");
  }

  @Test
  void aFailureIsTriedAgainAndWhatItWroteIsTakenAway() throws Exception {
    Claim claim =
        claim(
            daily()
                .retry(
                    new Retry(
                        2, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofHours(1), 3)));
    ForeignInput first = begin(claim, 0);
    write(first, "half.csv");
    ForeignFailure failure = new ForeignFailure(ForeignFailure.Kind.FAILED, "ValueError: x");

    assertThat(foreign.fail(claim, first.token(), failure).retryInMillis()).isEqualTo(1_000);
    assertThat(Path.of(Objects.requireNonNull(first.output()))).doesNotExist();
    ForeignInput second = begin(claim, first.attempt());
    assertThat(kind(foreign.fail(claim, second.token(), failure))).isEqualTo(Kind.FAILED);
    assertThat(ledger.state("last_error")).isEqualTo("ValueError: x");
  }

  @Test
  void whereNoWorkerIsNothingIsSpentAndTheRowSaysSo() throws Exception {
    Claim claim = claim(daily());
    ForeignInput input = begin(claim, 0);
    ForeignFailure failure = new ForeignFailure(ForeignFailure.Kind.NO_WORKER, "no worker took it");

    assertThat(kind(foreign.fail(claim, input.token(), failure))).isEqualTo(Kind.NOT_READY);
    assertThat(ledger.state("last_error")).isEqualTo("no worker took it");
    assertThat(ledger.query("select failures + failed_claims from tidemark.partition_ledger"))
        .isEqualTo("0");
  }

  // B9, c-B14
  @Test
  void aSilentWorkerIsALostAttempt() throws Exception {
    Claim claim = claim(daily());
    ForeignInput input = begin(claim, 0);
    ForeignFailure failure = new ForeignFailure(ForeignFailure.Kind.LOST, "no heartbeat");

    assertThat(kind(foreign.fail(claim, input.token(), failure))).isEqualTo(Kind.RELEASED);
    assertThat(ledger.query("select lost || ' ' || failures from tidemark.partition_ledger"))
        .isEqualTo("1 0");
  }

  @Test
  void onlyTheClaimsThatAreStillHeldAreNamed() throws Exception {
    Claim claim = claim(daily());
    long first = begin(claim, 0).token();
    long second = begin(claim, 1).token();

    assertThat(foreign.held(List.of(first, second))).containsExactly(second);
  }

  // A lane of before there were such tasks, on a worker that knows them.
  @Test
  void aLaneThatIsTooOldGivesItBack() throws Exception {
    RegisteredPipeline pipeline = ledger.register(daily());

    PartitionOutcome outcome = partitions.run(ledger.claim(pipeline), 1, () -> {});

    assertThat(outcome.kind()).isEqualTo(Kind.RELEASED);
    assertThat(outcome.detail()).contains("another SDK runs its task");
  }
}
