package dev.tidemark.activities.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.ChangeDetector.Found;
import dev.tidemark.activities.inputs.ChangeDetector.Range;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputVersionsTest {
  private static final InputSpec PUSH = new InputSpec.Push();
  private static final InputSpec NEEDED = new InputSpec.Custom("needed", false);
  private static final InputSpec OPTIONAL = new InputSpec.Custom("optional", true);
  private static final String DAY = TestLedger.DAY;
  private static final Slice A = Slice.of(Map.of("unit", "a"));
  private static final Slice B = Slice.of(Map.of("unit", "b"));

  @TempDir Path folder;
  private TestLedger ledger;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private Observed observe(Map<String, ChangeDetector> detectors, InputSpec... inputs)
      throws Exception {
    return observe(ledger.register(TestPipeline.daily("sales").inputs(inputs)), detectors);
  }

  private Observed observe(RegisteredPipeline pipeline, Map<String, ChangeDetector> detectors)
      throws Exception {
    Partitioning days = pipeline.definition().extent().partitions();
    return new InputVersions(
            Connections.NONE,
            folder,
            detectors,
            ledger.observations,
            new Upstreams(ledger.database.dataSource()))
        .observe(
            pipeline,
            new Range(
                pipeline.name(),
                days,
                days.first().start(),
                days.plus(days.first(), 9).start(),
                null),
            new InputVersions.AsOf(ledger.observations.now(), ledger.observations.now()));
  }

  private static ChangeDetector finds(Found... found) {
    return (range, sink) -> List.of(found).forEach(sink);
  }

  @Test
  void takesAllInputsTogether() throws Exception {
    Map<String, ChangeDetector> both =
        Map.of(
            "needed", finds(new Found(DAY, Slice.EMPTY, "7")),
            "optional", finds(new Found(DAY, Slice.EMPTY, "x")));

    assertThat(observe(both, NEEDED, OPTIONAL).version(DAY, Slice.EMPTY)).isEqualTo("7 + x");
    assertThat(observe(both, NEEDED).version(DAY, Slice.EMPTY)).isEqualTo("7");
    assertThat(observe(both).version(DAY, Slice.EMPTY)).isNull();
    assertThat(observe(both).ready(DAY, Slice.EMPTY)).isTrue();
  }

  @Test
  void isReadyOnceEachRequiredInputIsThere() throws Exception {
    Map<String, ChangeDetector> onlyOptional =
        Map.of("needed", finds(), "optional", finds(new Found(DAY, Slice.EMPTY, "x")));
    Map<String, ChangeDetector> onlyNeeded =
        Map.of("needed", finds(new Found(DAY, Slice.EMPTY, "7")), "optional", finds());

    assertThat(observe(onlyOptional, NEEDED, OPTIONAL).ready(DAY, Slice.EMPTY)).isFalse();
    assertThat(observe(onlyOptional, NEEDED, OPTIONAL).version(DAY, Slice.EMPTY)).isNull();
    assertThat(observe(onlyNeeded, NEEDED, OPTIONAL).ready(DAY, Slice.EMPTY)).isTrue();
    // Not nothing: once the optional input comes, the partition is late.
    assertThat(observe(onlyNeeded, NEEDED, OPTIONAL).version(DAY, Slice.EMPTY))
        .isEqualTo("7 + none");
  }

  @Test
  void givesAllSlicesWhatDoesNotTellThemApart() throws Exception {
    Observed observed =
        observe(
            Map.of(
                "needed",
                finds(new Found(DAY, A, "a1"), new Found("2026-01-02", Slice.EMPTY, "all"))),
            NEEDED);

    assertThat(observed.version(DAY, A)).isEqualTo("a1");
    assertThat(observed.ready(DAY, B)).isFalse();
    assertThat(observed.version("2026-01-02", A)).isEqualTo("all");
    assertThat(observed.version("2026-01-02", B)).isEqualTo("all");
  }

  @Test
  void shortensWhatIsTooLongToRead() throws Exception {
    Map<String, ChangeDetector> detectors =
        Map.of("needed", finds(new Found(DAY, Slice.EMPTY, "x".repeat(500))));

    assertThat(observe(detectors, NEEDED).version(DAY, Slice.EMPTY)).hasSize(16);
  }

  @Test
  void readsPushesAndIsNeverHeldBackByThem() throws Exception {
    RegisteredPipeline pipeline = ledger.register(TestPipeline.daily("sales").inputs(PUSH));
    assertThat(observe(pipeline, Map.of()).version(DAY, Slice.EMPTY)).isEqualTo("none");

    ledger.observations.push(pipeline, Slice.EMPTY, DAY, "pushed-1");

    assertThat(observe(pipeline, Map.of()).version(DAY, Slice.EMPTY)).isEqualTo("pushed-1");
    assertThat(observe(pipeline, Map.of()).version("2026-01-02", Slice.EMPTY)).isEqualTo("none");
  }

  // One that hangs is given up, and what it had found is not used: C22
  @Test
  void failsIfADetectorHangs() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    ChangeDetector hanging =
        (range, found) -> {
          found.accept(new Found(DAY, Slice.EMPTY, "half"));
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        };
    Partitioning days = new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-01-01", null);
    List<Found> seen = new ArrayList<>();

    assertThatThrownBy(
            () ->
                new BoundedDetector(hanging, Duration.ofMillis(50))
                    .scan(
                        new Range("sales", days, Instant.EPOCH, days.first().end(), null),
                        seen::add))
        .isInstanceOf(DetectorException.class)
        .hasMessage("the detector of sales did not answer within PT0.05S");
    assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(seen).isEmpty();
  }

  // A detector that cannot tell is never taken for "nothing changed".
  @Test
  void failsIfOneInputCannotTell() {
    ChangeDetector broken =
        (range, found) -> {
          throw new IllegalStateException("no route to host");
        };

    assertThatThrownBy(() -> observe(Map.of("needed", broken), NEEDED))
        .isInstanceOf(DetectorException.class)
        .hasMessage("cannot tell the versions of the detector 'needed': no route to host");
    assertThatThrownBy(() -> observe(Map.of(), NEEDED))
        .isInstanceOf(DetectorException.class)
        .hasMessageContaining("no change detector 'needed'");
  }
}
