package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
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
  private static final int DAYS = 30;

  @TempDir Path folder;
  private TestLedger ledger;
  private DataSource source;
  private OutputStore store;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
    source = ledger.database.dataSource();
    store = new LocalStore(folder.resolve("out"), CLOCK);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  /** A pipeline with all of its days committed. */
  private RegisteredPipeline published(OutputSpec output) throws Exception {
    RegisteredPipeline pipeline = ledger.register(TestPipeline.daily("sales").output(output));
    expect(pipeline);
    for (List<Claim> due = claim(pipeline); !due.isEmpty(); due = claim(pipeline)) {
      for (Claim claim : due) {
        publish((Begun) ledger.attempts.begin(claim, 1, "test"), output);
      }
    }
    return pipeline;
  }

  /** All of its days, as if nobody had looked at an input of theirs. */
  private void expect(RegisteredPipeline pipeline) {
    ledger.database.execute(
        "update tidemark.partition_ledger"
            + " set input_version = null, input_seen_at = null, input_observed_at = null");
    var partitions = pipeline.definition().extent().partitions();
    Window last = partitions.plus(partitions.first(), DAYS - 1);
    new ExpectedSet(source)
        .bringUpTo(pipeline, List.of(new ExpectedSlice(Slice.EMPTY, partitions.first())), last);
  }

  /** Up to twenty of those that are due. */
  private List<Claim> claim(RegisteredPipeline pipeline) {
    return new Claims(source)
        .claim(
            new ClaimRequest(
                UUID.randomUUID().toString(),
                pipeline.name(),
                Scope.ALL,
                TestLedger.NOW.plus(Duration.ofDays(DAYS - 1)),
                20,
                null))
        .claims();
  }

  private void publish(Begun begun, OutputSpec output) throws Exception {
    try (Publication publication = ledger.publisher.open(begun, output)) {
      Files.writeString(publication.folder().resolve("x.csv"), begun.window().label());
      ledger.attempts.commit(begun.token(), publication.publish(null, Contents.of(null)), null);
    }
  }

  private void check(RegisteredPipeline pipeline) {
    new Verification(OutputLedger.of(source), location -> store).check(pipeline);
  }

  private Path day(int day) {
    return folder.resolve("out/sales/dt=2026-01-%02d".formatted(day));
  }

  private static Path marker(Path day) {
    return day.resolve("_manifest.json");
  }

  private static void delete(Path folder) throws IOException {
    for (Path file : list(folder)) {
      Files.delete(file);
    }
    Files.delete(folder);
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private String lost() throws Exception {
    return ledger.query(
        "select coalesce(string_agg(partition, ',' order by window_start), '')"
            + " from tidemark.partition_ledger where output_lost_at is not null");
  }

  private String all() throws Exception {
    return ledger.query(
        "select string_agg(l::text, ' ' order by id) || (select string_agg(p::text, '')"
            + " from tidemark.pipeline p) from tidemark.partition_ledger l");
  }

  // A14.4, A18
  @Test
  void whatIsGoneIsLost() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    delete(day(7));
    Files.delete(list(day(9)).get(1));

    check(pipeline);

    assertThat(lost()).isEqualTo("2026-01-07,2026-01-09");
    assertThat(claim(pipeline)).extracting(Claim::partition).hasSize(2);
  }

  @Test
  void whereNothingDiffersNothingIsWritten() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    String before = all();

    check(pipeline);

    assertThat(all()).isEqualTo(before);
  }

  // A40 to A42: without the marker it is not complete, and the marker alone is missing.
  @Test
  void aMarkerIsWrittenBackWhereAllItsPartsAreThere() throws Exception {
    for (OutputSpec output : List.of(HIVE, MARKED)) {
      ledger.close();
      ledger = new TestLedger(folder);
      source = ledger.database.dataSource();
      RegisteredPipeline pipeline = published(output);
      Path marker =
          output.equals(HIVE) ? marker(day(3)) : folder.resolve("out/2026-01-03.csv.commit");
      String before = Files.readString(marker);
      Files.delete(marker);

      check(pipeline);

      assertThat(marker).hasContent(before);
      assertThat(lost()).isEmpty();
      assertThat(
              ledger.query(
                  "select count(*) from tidemark.partition_ledger where claim_id is not null"))
          .isEqualTo("0");
    }
  }

  // Design: only if no intent was recorded since that commit
  @Test
  void aMarkerIsNotWrittenBackWhereALaterAttemptWasAboutToPublish() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    ledger.database.execute(
        "insert into tidemark.attempt (token, row_id, claim_id, attempt, claimed_by, intent, gen,"
            + " revision, definition, ended_at, outcome) select 900, id, 'gone', 1, 'test', '{}', 1, 1, '',"
            + " clock_timestamp(), 'lost' from tidemark.partition_ledger where partition = '2026-01-03'");
    Files.delete(marker(day(3)));

    check(pipeline);

    assertThat(marker(day(3))).doesNotExist();
    assertThat(lost()).isEqualTo("2026-01-03");
  }

  // No intent tells of a marker that is written back: who has lost the claim does not show it.
  @Test
  void aMarkerIsNotWrittenBackOnceTheClaimIsGone() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    Files.delete(marker(day(3)));
    SteppedStore overtaken =
        new SteppedStore(
            store,
            1,
            () ->
                ledger.database.execute(
                    "update tidemark.partition_ledger set claim_id = 'another'"
                        + " where claim_id is not null"));
    store = overtaken;

    check(pipeline);

    assertThat(overtaken.wasReached()).isTrue();
    assertThat(marker(day(3))).doesNotExist();
    assertThat(lost()).isEmpty();
  }

  // B18: a zombie's promotion that came too late
  @Test
  void aZombiesLeftoversAreRemoved() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    Files.writeString(day(5).resolve("part-00003-0.csv"), "a zombie's");
    Files.writeString(day(5).resolve("part-of-somebody-else.csv"), "not ours");

    check(pipeline);

    assertThat(day(5).resolve("part-00003-0.csv")).doesNotExist();
    assertThat(day(5).resolve("part-of-somebody-else.csv")).exists();
    assertThat(lost()).isEmpty();
  }

  // An unmounted volume, a wrong bucket
  @Test
  void moreThanATenthAtOnceIsNotBelieved() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    for (int day = 1; day <= 11; day++) {
      delete(day(day));
    }

    check(pipeline);
    check(pipeline);

    assertThat(lost()).isEmpty();
    assertThat(new Outputs(source).missing(pipeline))
        .hasValueSatisfying(missing -> assertThat(missing.count()).isEqualTo(11));
    assertThat(claim(pipeline)).isEmpty();
  }

  @Test
  void tenAtOnceAreBelieved() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    for (int day = 1; day <= 10; day++) {
      delete(day(day));
    }

    check(pipeline);

    assertThat(lost().split(",")).hasSize(10);
    assertThat(new Outputs(source).missing(pipeline)).isEmpty();
  }

  // What was made for another place is not lost because it is not in the new one.
  @Test
  void aChangedLocationMakesNothingLost() throws Exception {
    published(HIVE);
    RegisteredPipeline moved =
        ledger.register(TestPipeline.daily("sales").output(new OutputSpec.Hive("elsewhere")));

    new Verification(
            OutputLedger.of(source), location -> new LocalStore(folder.resolve(location), CLOCK))
        .check(moved);

    assertThat(lost()).isEmpty();
    assertThat(new Outputs(source).missing(moved)).isEmpty();
  }

  // Where nothing keeps a zombie's marker from being written over a newer one, it is read.
  @Test
  void aZombiesMarkerIsFoundWhereTheStoreIgnoresConditions() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    String marker = Files.readString(marker(day(3)));
    Files.writeString(marker(day(3)), marker.replaceAll("\"token\":[0-9]+", "\"token\":0"));
    store = withoutConditions(store);

    check(pipeline);

    assertThat(lost()).isEqualTo("2026-01-03");
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
    RegisteredPipeline pipeline = published(HIVE);
    ledger.lose();
    Begun begun = (Begun) ledger.attempts.begin(claim(pipeline).get(0), 1, "test");
    ledger.database.execute("update tidemark.partition_ledger set output_lost_at = null");
    try (Publication publication = ledger.publisher.open(begun, HIVE)) {
      for (int i = 0; i < 40; i++) {
        Files.writeString(publication.folder().resolve(i + ".csv"), "x");
      }
      ledger.attempts.commit(begun.token(), publication.publish(null, Contents.of(null)), null);
    }
    Path marker = marker(folder.resolve("out/sales/dt=" + begun.window().label()));
    Files.delete(marker);

    check(pipeline);

    assertThat(marker).exists();
    assertThat(lost()).isEmpty();
  }

  // A store that cannot be asked is never an empty one.
  @Test
  void anUnreachableStoreChangesNothing() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    delete(day(7));
    String before = all();
    store =
        new SteppedStore(
            store,
            0,
            () -> {
              throw new StoreException(StoreException.Kind.UNREACHABLE, "no answer", null);
            });

    check(pipeline);

    assertThat(all()).isEqualTo(before);
  }

  // Rows that begin or settle while the store is listed are not judged.
  @Test
  void whatChangesWhileTheStoreIsListedIsLeftForTheNextSweep() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    delete(day(7));
    delete(day(8));
    OutputStore listed = store;
    store =
        new SteppedStore(
            listed,
            0,
            () ->
                ledger.database.execute(
                    "update tidemark.partition_ledger set attempts = attempts + 1"
                        + " where partition = '2026-01-07'"));

    check(pipeline);
    assertThat(lost()).isEqualTo("2026-01-08");

    store = listed;
    check(pipeline);
    assertThat(lost()).isEqualTo("2026-01-07,2026-01-08");
  }

  @Test
  void whatIsUnderAClaimIsNotJudged() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    ledger.lose();
    Claim live = claim(pipeline).get(0);
    ledger.database.execute("update tidemark.partition_ledger set output_lost_at = null");
    delete(folder.resolve("out/sales/dt=" + live.partition()));

    check(pipeline);

    assertThat(lost()).isEmpty();
  }

  // A retention floor and an excuse keep deleted history from coming back.
  @Test
  void whatIsExcusedOrRetainedOutIsLeftAlone() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    new Interventions(source)
        .excuse(pipeline, List.of("2026-01-07"), Slice.EMPTY, "deleted on request");
    ledger.database.execute(
        "update tidemark.partition_ledger set expected = false where partition = '2026-01-01'");
    delete(day(1));
    delete(day(7));

    check(pipeline);

    assertThat(lost()).isEmpty();
    assertThat(claim(pipeline)).isEmpty();
  }

  // Beyond what one sweep compares, a part at each: all of it in as many sweeps as parts.
  @Test
  void aLargerPipelineIsComparedInParts() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    delete(day(1));
    delete(day(30));
    Verification inParts = new Verification(OutputLedger.of(source), location -> store, 12);

    inParts.check(pipeline);
    assertThat(lost()).isEqualTo("2026-01-01");
    inParts.check(pipeline);
    assertThat(lost()).isEqualTo("2026-01-01");
    inParts.check(pipeline);
    assertThat(lost()).isEqualTo("2026-01-01,2026-01-30");
    assertThat(new Outputs(source).state(pipeline).after()).isNull();
  }

  // Eleven of the first twelve are not believed: said, and the rest is compared all the same.
  @Test
  void aPartInDoubtKeepsNoOtherFromBeingCompared() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    for (int day = 1; day <= 11; day++) {
      Files.delete(marker(day(day)));
      Files.delete(list(day(day)).get(0));
    }
    delete(day(30));
    Verification inParts = new Verification(OutputLedger.of(source), location -> store, 12);

    for (int i = 0; i < 5; i++) {
      inParts.check(pipeline);
    }

    assertThat(lost()).isEqualTo("2026-01-30");
    assertThat(new Outputs(source).missing(pipeline))
        .hasValueSatisfying(missing -> assertThat(missing.count()).isEqualTo(11));
  }
}
