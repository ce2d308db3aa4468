package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.io.IOException;
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

/** What a store holds and the ledger does not know is taken in, if it is of this partition. */
class TakenInOutputTest {
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

  // A15, A45: the outputs win over a ledger that knows nothing of them.
  @Test
  void whatTheLedgerDoesNotKnowIsTakenInWithItsFacts() throws Exception {
    published(HIVE);
    String facts =
        "select string_agg(concat_ws(',', partition, committed_token, processed_version, closed_through, closed_lag,"
            + " definition, output, content, rows, bytes, files), ' ' order by window_start) from tidemark.partition_ledger";
    String before = ledger.query(facts);
    ledger.close();
    ledger = new TestLedger(folder);
    source = ledger.database.dataSource();
    RegisteredPipeline pipeline = ledger.register(TestPipeline.daily("sales").output(HIVE));
    expect(pipeline);

    check(pipeline);

    assertThat(ledger.query(facts)).isEqualTo(before);
    assertThat(claim(pipeline)).isEmpty();
    assertThat(ledger.query("select count(*) from public.partition_state where late"))
        .isEqualTo("0");
    // Tokens grow for ever.
    assertThat(Long.parseLong(ledger.query("select nextval('tidemark.token')")))
        .isGreaterThan(DAYS);
  }

  // Layout file without a marker: complete, of unknown version, never late.
  @Test
  void aFileWithoutFactsIsTakenIn() throws Exception {
    RegisteredPipeline pipeline = ledger.register(TestPipeline.daily("sales").output(ATOMIC));
    Path file = folder.resolve("out/2026/2026-01-01.csv");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "made elsewhere");

    check(pipeline);

    assertThat(ledger.state("state")).isEqualTo("completed");
    assertThat(ledger.state("processed_version")).isEqualTo("null");
    assertThat(ledger.state("late")).isEqualTo("f");
    assertThat(ledger.state("bytes")).isEqualTo("14");
  }

  @Test
  void aFileThatIsGoneOrCutOffIsLost() throws Exception {
    RegisteredPipeline pipeline = published(ATOMIC);
    Files.delete(folder.resolve("out/2026/2026-01-03.csv"));
    Files.writeString(folder.resolve("out/2026/2026-01-04.csv"), "cut");

    check(pipeline);

    assertThat(lost()).isEqualTo("2026-01-03,2026-01-04");
  }

  // A marker of another partition, or without its parts, is none.
  @Test
  void aMarkerThatIsNotOfThisPartitionIsNotTakenIn() throws Exception {
    published(HIVE);
    ledger.close();
    ledger = new TestLedger(folder);
    source = ledger.database.dataSource();
    RegisteredPipeline pipeline = ledger.register(TestPipeline.daily("sales").output(HIVE));
    expect(pipeline);
    Files.writeString(marker(day(2)), Files.readString(marker(day(3))));
    Files.delete(list(day(4)).get(1));
    Files.writeString(marker(day(5)), "{");
    Files.writeString(marker(day(6)), "null");

    check(pipeline);

    assertThat(claim(pipeline))
        .extracting(Claim::partition)
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-04", "2026-01-02");
  }

  // A ledger restored from last night: a later commit than it knows stands in the store.
  @Test
  void aLaterCommitThanTheLedgersIsTakenIn() throws Exception {
    RegisteredPipeline pipeline = published(HIVE);
    ledger.database.execute(
        "update tidemark.partition_ledger set committed_token = 0 where partition = '2026-01-06'");
    ledger.database.execute("delete from tidemark.attempt");

    check(pipeline);

    assertThat(lost()).isEmpty();
    assertThat(
            ledger.query(
                "select committed_token > 0 from tidemark.partition_ledger where partition = '2026-01-06'"))
        .isEqualTo("t");
  }
}
