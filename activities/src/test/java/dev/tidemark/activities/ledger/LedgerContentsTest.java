package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.LedgerSchema;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.Definitions.Change;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.time.Instant;
import java.time.Period;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Definitions, the expected set and observations: what becomes of them in the ledger. */
final class LedgerContentsTest {
  private static final String JAN_4 = "2026-01-04T00:00:00Z";
  private static LedgerTestDatabase database;
  private static Ledger ledger;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static String expected(RegisteredPipeline pipeline) {
    return ledger.query(
        "select string_agg(concat_ws(' ', nullif(slice, ''), partition), ', ' order by slice, window_start)"
            + " from tidemark.partition_ledger where expected and pipeline_id = "
            + pipeline.id());
  }

  @Test
  void migratingAgainDoesNothingAndTheVersionIsTheNewestFile() {
    assertThat(LedgerSchema.isCurrent(database.dataSource())).isTrue();
    assertThat(LedgerSchema.migrate(database.dataSource())).isZero();
    assertThat(
            ledger.query(
                "select max(version::integer) from tidemark.flyway_schema_history where version is not null"))
        .isEqualTo(String.valueOf(LedgerSchema.NEWEST_VERSION));
  }

  @Test
  void anEqualDefinitionChangesNothingAndADifferentOneSaysWhat() {
    assertThat(ledger.definitions.register(Pipelines.daily("revised").build(), "me").kind())
        .isEqualTo(Change.Kind.CREATED);
    assertThat(ledger.definitions.register(Pipelines.daily("revised").build(), "me").kind())
        .isEqualTo(Change.Kind.UNCHANGED);

    Change change =
        ledger.definitions.register(Pipelines.daily("revised").parallel(10, 50).build(), "me");
    assertThat(change.differences()).containsExactly("limits.parallel: 20 -> 10");
    assertThat(change.pipeline().revision()).isEqualTo(2);
  }

  // A-g6
  @Test
  void theFingerprintIsOfWhatChangesContent() {
    String before = Definitions.fingerprint(Pipelines.daily("print").build());
    assertThat(
            Definitions.fingerprint(Pipelines.daily("print").parallel(3, 10).retry(9, 9).build()))
        .isEqualTo(before);
    assertThat(Definitions.fingerprint(Pipelines.daily("print").command("other").build()))
        .isNotEqualTo(before);
    assertThat(Definitions.fingerprint(Pipelines.daily("print").location("./moved").build()))
        .isNotEqualTo(before);
  }

  @Test
  void grainZoneAndDimensionsCannotChangeOnceThereAreRows() {
    ledger.ready(Pipelines.daily("fixed"), JAN_4);
    assertThatThrownBy(
            () ->
                ledger.register(
                    Pipelines.daily("fixed")
                        .partitions(Grain.DAY, "Asia/Tokyo", "2026-01-01", null)))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContainingAll("'fixed'", "partitions.zone", "UTC", "Asia/Tokyo", "new name");
    assertThatThrownBy(
            () -> ledger.register(Pipelines.daily("fixed").slices(null, Slices.of("unit", "a"))))
        .hasMessageContaining("slices");
    assertThat(ledger.definitions.get("fixed").revision()).isEqualTo(1);
  }

  // c-C20
  @Test
  void aRemovedNameStartsAfresh() {
    var pipeline = ledger.ready(Pipelines.daily("removed"), JAN_4);
    ledger.request(pipeline, "of removed", false, "2026-01-01");
    ledger.definitions.remove("removed");

    assertThat(ledger.definitions.find("removed")).isEmpty();
    assertThat(ledger.query("select state from tidemark.backfill where backfill_id = 'of removed'"))
        .isEqualTo("cancelled");
    var again = ledger.ready(Pipelines.daily("removed"), JAN_4);
    assertThat(again.id()).isNotEqualTo(pipeline.id());
    assertThat(ledger.run(again, JAN_4)).hasSize(3);
  }

  // A19, c-D3
  @Test
  void bringingUpToAddsOnlyWhatIsNew() {
    var pipeline = ledger.ready(Pipelines.daily("steps"), JAN_4);
    assertThat(ledger.bringUpTo(pipeline, JAN_4)).isZero();
    assertThat(ledger.bringUpTo(pipeline, "2026-01-06T00:00:00Z")).isEqualTo(2);
    assertThat(ledger.bringUpTo(pipeline, JAN_4)).isZero();
    assertThat(expected(pipeline)).endsWith("2026-01-05");
  }

  // A20, A21, A22, A14.3
  @Test
  void aNewSliceGetsItsHistoryFromItsSinceAndARemovedOneIsNotExpected() {
    ledger.ready(Pipelines.daily("sliced").slices(null, Slices.of("unit", "a")), JAN_4);
    var pipeline =
        ledger.ready(
            Pipelines.daily("sliced")
                .slices(null, Slices.of("unit", "a"), Slices.since("2026-01-02", "unit", "b")),
            JAN_4);
    assertThat(expected(pipeline))
        .isEqualTo(
            "unit=a 2026-01-01, unit=a 2026-01-02, unit=a 2026-01-03, unit=b 2026-01-02, unit=b 2026-01-03");

    pipeline = ledger.ready(Pipelines.daily("sliced").slices(null, Slices.of("unit", "a")), JAN_4);
    assertThat(expected(pipeline)).doesNotContain("unit=b");
  }

  // A20, A21, c-C18: the first window may move to before a future one that has been passed since
  @Test
  void aSliceThatWasToBeginLaterGetsItsHistoryOnce() {
    Pipelines definition = Pipelines.daily("earlier");
    ledger.ready(definition.slices(null, Slices.since("2026-01-06", "unit", "b")), JAN_4);
    var pipeline =
        ledger.ready(
            definition.slices(null, Slices.since("2026-01-03", "unit", "b")),
            "2026-01-08T00:00:00Z");
    assertThat(expected(pipeline))
        .isEqualTo(
            "unit=b 2026-01-03, unit=b 2026-01-04, unit=b 2026-01-05, unit=b 2026-01-06, unit=b 2026-01-07");
  }

  // A17, A19: units differ by date; an end may come, move both ways and go
  @Test
  void aSliceIsExpectedUntilItsEndHoweverTheEndMoves() {
    assertThat(expected(ended("ends", "2026-01-03")))
        .isEqualTo(
            "unit=a 2026-01-01, unit=a 2026-01-02, unit=a 2026-01-03, unit=b 2026-01-01, unit=b 2026-01-02");
    assertThat(expected(ended("ends", "2026-01-02"))).endsWith("unit=b 2026-01-01");
    assertThat(expected(ended("ends", "2026-01-04")))
        .endsWith("unit=b 2026-01-02, unit=b 2026-01-03");
    assertThat(expected(ended("ends", "2026-01-02"))).endsWith("unit=b 2026-01-01");

    var open =
        ledger.ready(Pipelines.daily("ends").slices(null, Slices.of("unit", "a", "b")), JAN_4);
    assertThat(expected(open)).endsWith("unit=b 2026-01-02, unit=b 2026-01-03");
    assertThat(ledger.bringUpTo(open, JAN_4)).isZero();
  }

  private static RegisteredPipeline ended(String name, String until) {
    return ledger.ready(
        Pipelines.daily(name)
            .slices(null, Slices.of("unit", "a"), Slices.until(until, "unit", "b")),
        JAN_4);
  }

  // A19: an end in the past costs nothing at the next sweep, and gets no row at later ones
  @Test
  void aSliceThatHasEndedStaysAsItIs() {
    var pipeline = ended("ended", "2026-01-03");
    assertThat(ledger.bringUpTo(pipeline, JAN_4)).isZero();

    assertThat(ledger.bringUpTo(pipeline, "2026-01-06T00:00:00Z")).isEqualTo(2);
    assertThat(expected(pipeline)).endsWith("unit=b 2026-01-01, unit=b 2026-01-02");
    assertThat(new LedgerReader(database.dataSource()).expectedSlices(pipeline))
        .isEqualTo(Slices.expand(pipeline.definition()));
  }

  @Test
  void startAndEndMayMoveBothWays() {
    Pipelines first = Pipelines.daily("moved");
    ledger.ready(first.partitions(Grain.DAY, "UTC", "2026-01-02", null), JAN_4);
    var pipeline =
        ledger.ready(first.partitions(Grain.DAY, "UTC", "2026-01-01", "2026-01-03"), JAN_4);
    assertThat(expected(pipeline)).isEqualTo("2026-01-01, 2026-01-02");
    pipeline = ledger.ready(first.partitions(Grain.DAY, "UTC", "2026-01-02", null), JAN_4);
    assertThat(expected(pipeline)).isEqualTo("2026-01-02, 2026-01-03");
  }

  // A-g5
  @Test
  void whatRetentionLetGoIsNotExpected() {
    var pipeline = ledger.ready(Pipelines.daily("kept").keep(Period.ofDays(1)), JAN_4);
    assertThat(expected(pipeline)).isEqualTo("2026-01-02, 2026-01-03");
    ledger.bringUpTo(pipeline, "2026-01-05T00:00:00Z");
    assertThat(expected(pipeline)).isEqualTo("2026-01-03, 2026-01-04");
  }

  // c-G1; must-show 5
  @Test
  void tenYearsOfHoursBecomeRows() {
    var pipeline =
        ledger.register(
            Pipelines.daily("hours")
                .partitions(Grain.HOUR, "UTC", "2016-01-01T00", "2025-12-29T00"));
    assertThat(ledger.bringUpTo(pipeline, "2026-01-01T00:00:00Z")).isEqualTo(87_600);
  }

  @Test
  void aRequiredInputMakesAPartitionClaimableOnceItIsThere() {
    var pipeline =
        ledger.ready(
            Pipelines.daily("input").inputs(new InputSpec.Files("in/{partition}.csv", false)),
            JAN_4);
    assertThat(ledger.claim(pipeline, JAN_4, 5)).isEmpty();
    ledger.observe(pipeline, "2026-01-02", "v1");
    assertThat(Ledger.labels(ledger.claim(pipeline, JAN_4, 5))).containsExactly("2026-01-02");
  }

  @Test
  void anUnchangedVersionWritesNothing() {
    var pipeline = ledger.ready(Pipelines.daily("unchanged"), JAN_4);
    ledger.observe(pipeline, "2026-01-01", "v1");
    String before = ledger.row(pipeline, "2026-01-01").toString();
    ledger.observe(pipeline, "2026-01-01", "v1");
    assertThat(ledger.row(pipeline, "2026-01-01")).hasToString(before);
  }

  // C-g2
  @Test
  void aScanThatBeganBeforeTheLastObservationIsRefused() {
    var pipeline = ledger.ready(Pipelines.daily("old-scan"), JAN_4);
    Instant began = ledger.observations.now();
    ledger.observe(pipeline, "2026-01-01", "v2");

    assertThat(
            ledger.observations.record(
                pipeline, began, Stream.of(new Seen(Slice.EMPTY, "2026-01-01", "v1", true))))
        .isZero();
    assertThat(ledger.row(pipeline, "2026-01-01")).containsEntry("input_version", "v2");
  }

  @Test
  void aVersionThatReturnsIsNotLate() {
    var pipeline = ledger.ready(Pipelines.daily("returns"), JAN_4);
    ledger.observe(pipeline, "2026-01-03", "v1");
    var begun = ledger.begin(ledger.claim(pipeline, JAN_4, 1).get(0));
    ledger.attempts.observed(begun.token(), "v1", ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    ledger.observe(pipeline, "2026-01-03", "v2");
    ledger.observe(pipeline, "2026-01-03", "v1");

    assertThat(
            ledger.query(
                "select late or last_update_time > last_processed_time from partition_state"
                    + " where pipeline = 'returns' and partition = '2026-01-03'"))
        .isEqualTo("f");
  }

  // C22
  @Test
  void aPushIsKeptPerPartitionAndAWrongLabelIsRefused() {
    var pipeline = ledger.ready(Pipelines.daily("pushed"), JAN_4);
    ledger.observations.push(pipeline, Slice.EMPTY, "2026-01-01", "v1");
    ledger.observations.push(pipeline, Slice.EMPTY, "2026-01-01", "v2");
    ledger.observations.push(pipeline, Slice.EMPTY, "2026-01-02", null);

    assertThat(ledger.observations.pushed(pipeline))
        .hasSize(2)
        .first()
        .isEqualTo(new Seen(Slice.EMPTY, "2026-01-01", "v2", true));
    assertThatThrownBy(() -> ledger.observations.push(pipeline, Slice.EMPTY, "2026-01", "v1"))
        .isInstanceOf(LedgerRefusal.class);
  }

  // C22
  @Test
  void aPushReachesEverySliceThatItsFilterMatches() {
    var pipeline =
        ledger.ready(
            Pipelines.daily("pushed-slices").slices("unit", Slices.of("unit", "a", "b")), JAN_4);

    assertThat(ledger.observations.push(pipeline, Slice.EMPTY, "2026-01-01", "v1")).isEqualTo(2);
    assertThat(ledger.observations.push(pipeline, Slice.parse("unit=b"), "2026-01-01", "v2"))
        .isEqualTo(1);

    assertThat(ledger.observations.pushed(pipeline))
        .extracting(seen -> seen.slice() + " " + seen.version())
        .containsExactly("unit=a v1", "unit=b v2");
    assertThatThrownBy(
            () -> ledger.observations.push(pipeline, Slice.parse("unit=c"), "2026-01-01", "v1"))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("'c'");
  }

  @Test
  void anAttemptThatReadNothingHasNoInputVersion() {
    var pipeline = ledger.ready(Pipelines.daily("read-nothing"), JAN_4);
    var begun = ledger.begin(ledger.claim(pipeline, JAN_4, 1).get(0));
    ledger.attempts.observed(begun.token(), null, ledger.observations.now());

    assertThat(
            new LedgerReader(database.dataSource())
                .attempts(pipeline, Slice.EMPTY, begun.window().label(), 5))
        .singleElement()
        .extracting(LedgerReader.AttemptView::inputVersion)
        .isNull();
  }
}
