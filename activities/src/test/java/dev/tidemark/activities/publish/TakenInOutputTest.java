package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
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

  // A15, A45: the outputs win over a ledger that knows nothing of them.
  @Test
  void whatTheLedgerDoesNotKnowIsTakenInWithItsFacts() throws Exception {
    days.published(HIVE);
    String facts =
        "select string_agg(concat_ws(',', partition, committed_token, processed_version, closed_through, closed_lag,"
            + " definition, output, content, rows, bytes, files), ' ' order by window_start) from tidemark.partition_ledger";
    String before = days.ledger.query(facts);
    days.startOver();
    RegisteredPipeline pipeline = days.ledger.register(TestPipeline.daily("sales").output(HIVE));
    days.expect(pipeline);

    days.check(pipeline);

    assertThat(days.ledger.query(facts)).isEqualTo(before);
    assertThat(days.claim(pipeline)).isEmpty();
    assertThat(days.ledger.query("select count(*) from public.partition_state where late"))
        .isEqualTo("0");
    // Tokens grow for ever.
    assertThat(Long.parseLong(days.ledger.query("select nextval('tidemark.token')")))
        .isGreaterThan(PublishedDays.DAYS);
  }

  // Layout file without a marker: complete, of unknown version, never late.
  @Test
  void aFileWithoutFactsIsTakenIn() throws Exception {
    RegisteredPipeline pipeline = days.ledger.register(TestPipeline.daily("sales").output(ATOMIC));
    Path file = folder.resolve("out/2026/2026-01-01.csv");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "made elsewhere");

    days.check(pipeline);

    assertThat(days.ledger.state("state")).isEqualTo("completed");
    assertThat(days.ledger.state("processed_version")).isEqualTo("null");
    assertThat(days.ledger.state("late")).isEqualTo("f");
    assertThat(days.ledger.state("bytes")).isEqualTo("14");
  }

  @Test
  void aFileThatIsGoneOrCutOffIsLost() throws Exception {
    RegisteredPipeline pipeline = days.published(ATOMIC);
    Files.delete(folder.resolve("out/2026/2026-01-03.csv"));
    Files.writeString(folder.resolve("out/2026/2026-01-04.csv"), "cut");

    days.check(pipeline);

    assertThat(days.lost()).isEqualTo("2026-01-03,2026-01-04");
  }

  // A marker of another partition, or without its parts, is none.
  @Test
  void aMarkerThatIsNotOfThisPartitionIsNotTakenIn() throws Exception {
    days.published(HIVE);
    days.startOver();
    RegisteredPipeline pipeline = days.ledger.register(TestPipeline.daily("sales").output(HIVE));
    days.expect(pipeline);
    Files.writeString(
        PublishedDays.marker(days.day(2)), Files.readString(PublishedDays.marker(days.day(3))));
    Files.delete(PublishedDays.list(days.day(4)).get(1));
    Files.writeString(PublishedDays.marker(days.day(5)), "{");
    Files.writeString(PublishedDays.marker(days.day(6)), "null");

    days.check(pipeline);

    assertThat(days.claim(pipeline))
        .extracting(Claim::partition)
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-04", "2026-01-02");
  }

  // A ledger restored from last night: a later commit than it knows stands in the store.
  @Test
  void aLaterCommitThanTheLedgersIsTakenIn() throws Exception {
    RegisteredPipeline pipeline = days.published(HIVE);
    days.ledger.database.execute(
        "update tidemark.partition_ledger set committed_token = 0 where partition = '2026-01-06'");
    days.ledger.database.execute("delete from tidemark.attempt");

    days.check(pipeline);

    assertThat(days.lost()).isEmpty();
    assertThat(
            days.ledger.query(
                "select committed_token > 0 from tidemark.partition_ledger where partition = '2026-01-06'"))
        .isEqualTo("t");
  }
}
