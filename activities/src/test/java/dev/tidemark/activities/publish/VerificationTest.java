package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sweep believes of what it sees in the store. */
class VerificationTest {
  private static final Clock CLOCK = Clock.fixed(TestLedger.NOW, ZoneOffset.UTC);
  private static final OutputSpec HIVE = new OutputSpec.Hive("out");
  private static final OutputSpec ATOMIC =
      new OutputSpec.File("out", "{start:yyyy}/{partition}.csv", OutputSpec.Commit.ATOMIC);
  private static final OutputSpec MARKED =
      new OutputSpec.File("out", "{partition}.csv", OutputSpec.Commit.MARKER);

  @TempDir Path folder;
  private PublishedDays days;

  @BeforeEach
  void open() {
    days = new PublishedDays(folder);
  }

  @AfterEach
  void close() {
    days.ledger.close();
  }

  // A14.4, A18
  @Test
  void whatIsGoneIsLost() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    PublishedDays.delete(days.day(7));
    Files.delete(PublishedDays.list(days.day(9)).get(1));

    days.check(pipeline);

    assertThat(days.lost()).isEqualTo("2026-01-07,2026-01-09");
    assertThat(days.claim(pipeline)).extracting(Claim::partition).hasSize(2);
  }

  @Test
  void whereNothingDiffersNothingIsWritten() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    String before = days.all();

    days.check(pipeline);

    assertThat(days.all()).isEqualTo(before);
  }

  // A40 to A42: without the marker it is not complete, and the marker alone is missing.
  @Test
  void aMarkerIsWrittenBackWhereAllItsPartsAreThere() throws Exception {
    for (OutputSpec output : List.of(HIVE, MARKED)) {
      days.startOver();
      RegisteredPipeline pipeline = days.published(output);
      Path marker =
          output.equals(HIVE)
              ? PublishedDays.marker(days.day(3))
              : folder.resolve("out/2026-01-03.csv.commit");
      String before = Files.readString(marker);
      Files.delete(marker);

      days.check(pipeline);

      assertThat(marker).hasContent(before);
      assertThat(days.lost()).isEmpty();
      assertThat(
              days.ledger.query(
                  "select count(*) from tidemark.partition_ledger where claim_id is not null"))
          .isEqualTo("0");
    }
  }

  // Design: only if no intent was recorded since that commit
  @Test
  void aMarkerIsNotWrittenBackWhereALaterAttemptWasAboutToPublish() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    days.ledger.database.execute(
        "insert into tidemark.attempt (token, row_id, claim_id, attempt, claimed_by, intent, gen,"
            + " revision, definition, ended_at, outcome) select 900, id, 'gone', 1, 'test', '{}', 1, 1, '',"
            + " clock_timestamp(), 'lost' from tidemark.partition_ledger where partition = '2026-01-03'");
    Files.delete(PublishedDays.marker(days.day(3)));

    days.check(pipeline);

    assertThat(PublishedDays.marker(days.day(3))).doesNotExist();
    assertThat(days.lost()).isEqualTo("2026-01-03");
  }

  // No intent tells of a marker that is written back: who has lost the claim does not show it.
  @Test
  void aMarkerIsNotWrittenBackOnceTheClaimIsGone() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    Files.delete(PublishedDays.marker(days.day(3)));
    SteppedStore overtaken =
        new SteppedStore(
            days.store,
            1,
            () ->
                days.ledger.database.execute(
                    "update tidemark.partition_ledger set claim_id = 'another'"
                        + " where claim_id is not null"));
    days.store = overtaken;

    days.check(pipeline);

    assertThat(overtaken.wasReached()).isTrue();
    assertThat(PublishedDays.marker(days.day(3))).doesNotExist();
    assertThat(days.lost()).isEmpty();
  }

  // B18: a zombie's promotion that came too late
  @Test
  void aZombiesLeftoversAreRemoved() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    Files.writeString(days.day(5).resolve("part-00003-0.csv"), "a zombie's");
    Files.writeString(days.day(5).resolve("part-of-somebody-else.csv"), "not ours");

    days.check(pipeline);

    assertThat(days.day(5).resolve("part-00003-0.csv")).doesNotExist();
    assertThat(days.day(5).resolve("part-of-somebody-else.csv")).exists();
    assertThat(days.lost()).isEmpty();
  }

  // An unmounted volume, a wrong bucket
  @Test
  void moreThanATenthAtOnceIsNotBelieved() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    for (int day = 1; day <= 11; day++) {
      PublishedDays.delete(days.day(day));
    }

    days.check(pipeline);
    days.check(pipeline);

    assertThat(days.lost()).isEmpty();
    assertThat(new Outputs(days.source).missing(pipeline))
        .hasValueSatisfying(missing -> assertThat(missing.count()).isEqualTo(11));
    assertThat(days.claim(pipeline)).isEmpty();
  }

  @Test
  void tenAtOnceAreBelieved() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    for (int day = 1; day <= 10; day++) {
      PublishedDays.delete(days.day(day));
    }

    days.check(pipeline);

    assertThat(days.lost().split(",")).hasSize(10);
    assertThat(new Outputs(days.source).missing(pipeline)).isEmpty();
  }

  // What was made for another place is not lost because it is not in the new one.
  @Test
  void aChangedLocationMakesNothingLost() throws Exception {
    days.published(HIVE);
    RegisteredPipeline moved =
        days.ledger.register(TestPipeline.daily("sales").output(new OutputSpec.Hive("elsewhere")));

    new Verification(
            OutputLedger.of(days.source),
            location -> new LocalStore(folder.resolve(location), CLOCK))
        .check(moved);

    assertThat(days.lost()).isEmpty();
    assertThat(new Outputs(days.source).missing(moved)).isEmpty();
  }

  // Where nothing keeps a zombie's marker from being written over a newer one, it is read.
  @Test
  void aZombiesMarkerIsFoundWhereTheStoreIgnoresConditions() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    String marker = Files.readString(PublishedDays.marker(days.day(3)));
    Files.writeString(
        PublishedDays.marker(days.day(3)), marker.replaceAll("\"token\":[0-9]+", "\"token\":0"));
    days.store = withoutConditions(days.store);

    days.check(pipeline);

    assertThat(days.lost()).isEqualTo("2026-01-03");
  }

  private static OutputStore withoutConditions(OutputStore store) {
    return (OutputStore)
        Proxy.newProxyInstance(
            OutputStore.class.getClassLoader(),
            new Class<?>[] {OutputStore.class},
            (proxy, method, arguments) ->
                method.getName().equals("guarantees")
                    ? new Guarantees(false, false)
                    : method.invoke(store, arguments));
  }

  // More files than are kept in memory: they are listed anew.
  @Test
  void anOutputOfManyFilesGetsItsMarkerBack() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    days.ledger.lose();
    Begun begun = (Begun) days.ledger.attempts.begin(days.claim(pipeline).get(0), 1, "test");
    days.ledger.database.execute("update tidemark.partition_ledger set output_lost_at = null");
    try (Publication publication = days.ledger.publisher.open(begun, HIVE)) {
      for (int i = 0; i < 40; i++) {
        Files.writeString(publication.folder().resolve(i + ".csv"), "x");
      }
      days.ledger.attempts.commit(
          begun.token(), publication.publish(null, Contents.of(null)), null);
    }
    Path marker = PublishedDays.marker(folder.resolve("out/sales/dt=" + begun.window().label()));
    Files.delete(marker);

    days.check(pipeline);

    assertThat(marker).exists();
    assertThat(days.lost()).isEmpty();
  }

  // A store that cannot be asked is never an empty one.
  @Test
  void anUnreachableStoreChangesNothing() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    PublishedDays.delete(days.day(7));
    String before = days.all();
    days.store =
        new SteppedStore(
            days.store,
            0,
            () -> {
              throw new StoreException(StoreException.Kind.UNREACHABLE, "no answer", null);
            });

    days.check(pipeline);

    assertThat(days.all()).isEqualTo(before);
  }

  // Rows that begin or settle while the store is listed are not judged.
  @Test
  void whatChangesWhileTheStoreIsListedIsLeftForTheNextSweep() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    PublishedDays.delete(days.day(7));
    PublishedDays.delete(days.day(8));
    OutputStore listed = days.store;
    days.store =
        new SteppedStore(
            listed,
            0,
            () ->
                days.ledger.database.execute(
                    "update tidemark.partition_ledger set attempts = attempts + 1"
                        + " where partition = '2026-01-07'"));

    days.check(pipeline);
    assertThat(days.lost()).isEqualTo("2026-01-08");

    days.store = listed;
    days.check(pipeline);
    assertThat(days.lost()).isEqualTo("2026-01-07,2026-01-08");
  }

  @Test
  void whatIsUnderAClaimIsNotJudged() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    days.ledger.lose();
    Claim live = days.claim(pipeline).get(0);
    days.ledger.database.execute("update tidemark.partition_ledger set output_lost_at = null");
    PublishedDays.delete(folder.resolve("out/sales/dt=" + live.partition()));

    days.check(pipeline);

    assertThat(days.lost()).isEmpty();
  }

  // A retention floor and an excuse keep deleted history from coming back.
  @Test
  void whatIsExcusedOrRetainedOutIsLeftAlone() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    new Interventions(days.source)
        .excuse(pipeline, List.of("2026-01-07"), Slice.EMPTY, "deleted on request");
    days.ledger.database.execute(
        "update tidemark.partition_ledger set expected = false where partition = '2026-01-01'");
    PublishedDays.delete(days.day(1));
    PublishedDays.delete(days.day(7));

    days.check(pipeline);

    assertThat(days.lost()).isEmpty();
    assertThat(days.claim(pipeline)).isEmpty();
  }

  // Beyond what one sweep compares, a part at each: all of it in as many sweeps as parts.
  @Test
  void aLargerPipelineIsComparedInParts() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    PublishedDays.delete(days.day(1));
    PublishedDays.delete(days.day(30));
    Verification inParts =
        new Verification(OutputLedger.of(days.source), location -> days.store, 12);

    inParts.check(pipeline);
    assertThat(days.lost()).isEqualTo("2026-01-01");
    inParts.check(pipeline);
    assertThat(days.lost()).isEqualTo("2026-01-01");
    inParts.check(pipeline);
    assertThat(days.lost()).isEqualTo("2026-01-01,2026-01-30");
    assertThat(new Outputs(days.source).state(pipeline).after()).isNull();
  }

  // Eleven of the first twelve are not believed: said, and the rest is compared all the same.
  @Test
  void aPartInDoubtKeepsNoOtherFromBeingCompared() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    for (int day = 1; day <= 11; day++) {
      Files.delete(PublishedDays.marker(days.day(day)));
      Files.delete(PublishedDays.list(days.day(day)).get(0));
    }
    PublishedDays.delete(days.day(30));
    Verification inParts =
        new Verification(OutputLedger.of(days.source), location -> days.store, 12);

    for (int i = 0; i < 5; i++) {
      inParts.check(pipeline);
    }

    assertThat(days.lost()).isEqualTo("2026-01-30");
    assertThat(new Outputs(days.source).missing(pipeline))
        .hasValueSatisfying(missing -> assertThat(missing.count()).isEqualTo(11));
  }
}
