package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outputs that were made elsewhere. */
class AdoptionTest {
  @TempDir Path folder;
  private TestLedger ledger;
  private RegisteredPipeline pipeline;
  private Stores stores;

  @BeforeEach
  void open() throws Exception {
    ledger = new TestLedger(folder);
    pipeline = ledger.register(TestPipeline.daily("sales").output(new OutputSpec.Hive("out")));
    stores =
        location ->
            new LocalStore(folder.resolve(location), Clock.fixed(TestLedger.NOW, ZoneOffset.UTC));
    Files.createDirectories(day());
    Files.writeString(day().resolve("data.csv"), "made elsewhere");
    Files.writeString(day().resolve("_SUCCESS"), "");
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private Path day() {
    return folder.resolve("out/sales/dt=" + TestLedger.DAY);
  }

  private void adopt() throws Exception {
    OutputLedger outputs = OutputLedger.of(ledger.database.dataSource());
    Adoption adoption = new Adoption(outputs, ledger.attempts, stores, "test");
    Window closed = pipeline.definition().extent().closedThrough(TestLedger.NOW).orElseThrow();
    List<Adoption.Candidate> candidates =
        adoption.find(
            pipeline, outputs.outputs().rows(pipeline, List.of(TestLedger.DAY), Slice.EMPTY));
    for (Adoption.Candidate candidate : candidates) {
      adoption.adopt(pipeline, candidate, TestLedger.NOW, closed, "test");
    }
  }

  @Test
  void isCommittedOfUnknownVersionUnderATokenOfItsOwn() throws Exception {
    adopt();

    assertThat(ledger.state("state")).isEqualTo("completed");
    assertThat(ledger.state("late")).as("its input was observed, and changed it").isEqualTo("f");
    assertThat(ledger.state("processed_version")).isEqualTo("null");
    assertThat(ledger.attempts("outcome")).isEqualTo("committed");
    Manifest manifest =
        Json.read(Files.readString(day().resolve("_manifest.json")), Manifest.class);
    assertThat(manifest.files()).extracting(Manifest.Part::name).containsExactly("data.csv");
    assertThat(manifest.token())
        .isEqualTo(
            Long.parseLong(ledger.query("select committed_token from tidemark.partition_ledger")));
  }

  // What a link points to is not kept here.
  @Test
  void followsNoLink() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path data = day().resolve("data.csv");
    Files.move(data, elsewhere.resolve("data.csv"));
    Files.createSymbolicLink(data, elsewhere.resolve("data.csv"));

    assertThatThrownBy(this::adopt)
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("has a link at " + data);

    Files.delete(data);
    Files.delete(day().resolve("_SUCCESS"));
    Files.delete(day());
    Files.createSymbolicLink(day(), elsewhere);
    assertThatThrownBy(this::adopt).hasMessageContaining("no link is followed");
    assertThat(ledger.state("state")).isEqualTo("never_attempted");
    assertThat(elsewhere.resolve("_manifest.json")).doesNotExist();
  }

  @Test
  void isReadByTheReadingProtocol() throws Exception {
    OutputReader reader = new OutputReader(pipeline.definition(), stores);
    Window window = pipeline.definition().extent().partitions().parse(TestLedger.DAY);
    assertThat(reader.find(window, Slice.EMPTY)).isEmpty();

    adopt();

    assertThat(
            reader.read(
                window,
                Slice.EMPTY,
                output -> Files.readString(Path.of(output.files().get(0).address()))))
        .hasValue("made elsewhere");
  }

  // Where a marker may stand that names files which are gone.
  @Test
  void isReadAgainWhereANamedFileIsMissing() throws Exception {
    adopt();
    OutputReader reader = new OutputReader(pipeline.definition(), stores);
    Window window = pipeline.definition().extent().partitions().parse(TestLedger.DAY);
    AtomicInteger tries = new AtomicInteger();
    OutputReader.Reading<String> secondTime =
        output -> {
          if (tries.incrementAndGet() < 2) {
            throw new NoSuchFileException("gone");
          }
          return "read";
        };
    OutputReader.Reading<String> never =
        output -> {
          throw new NoSuchFileException("gone");
        };

    assertThat(reader.read(window, Slice.EMPTY, secondTime)).hasValue("read");
    assertThatThrownBy(() -> reader.read(window, Slice.EMPTY, never))
        .hasMessageContaining("names a file that is not there");
  }

  // It stays as it is when a sweep compares it, though its files have no token.
  @Test
  void isWholeForASweep() throws Exception {
    adopt();

    new Verification(OutputLedger.of(ledger.database.dataSource()), stores).check(pipeline);

    assertThat(day().resolve("data.csv")).exists();
    assertThat(ledger.state("reason")).isEqualTo("up_to_date");
  }

  // Invariant 1
  @Test
  void isRefusedWhereSomebodyWorksOnThePartition() {
    Begun live = (Begun) ledger.attempts.begin(ledger.claim(pipeline), 1, "worker");

    assertThatThrownBy(this::adopt)
        .isInstanceOfSatisfying(
            LedgerRefusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.REFUSED))
        .hasMessageContaining("being worked on");
    assertThat(ledger.attempts.holds(live.token())).isTrue();
    assertThat(day().resolve("_manifest.json")).doesNotExist();
  }

  // Its versions are known, and would be lost.
  @Test
  void isRefusedWhereItIsCommittedAlready() throws Exception {
    adopt();
    String before = ledger.query("select committed_token from tidemark.partition_ledger");

    assertThatThrownBy(this::adopt)
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("committed already");
    assertThat(ledger.query("select committed_token from tidemark.partition_ledger"))
        .isEqualTo(before);
  }

  @Test
  void isRefusedWherePartsOfSeveralAttemptsAreMixed() throws Exception {
    Files.writeString(day().resolve("part-00000-5.csv"), "one attempt's");
    Files.writeString(day().resolve("part-00001-9.csv"), "another's");

    assertThatThrownBy(this::adopt)
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("several attempts");
    assertThat(day().resolve("_manifest.json")).doesNotExist();
  }

  @Test
  void isRefusedWhereAnotherProducerStillWrites() throws Exception {
    OutputLedger outputs = OutputLedger.of(ledger.database.dataSource());
    Adoption adoption = new Adoption(outputs, ledger.attempts, stores, "test");
    Window closed = pipeline.definition().extent().closedThrough(TestLedger.NOW).orElseThrow();
    Adoption.Candidate found =
        adoption
            .find(pipeline, outputs.outputs().rows(pipeline, List.of(TestLedger.DAY), Slice.EMPTY))
            .get(0);
    Files.writeString(day().resolve("more.csv"), "still written");

    assertThatThrownBy(() -> adoption.adopt(pipeline, found, TestLedger.NOW, closed, "test"))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("changed while it was read");
    assertThat(day().resolve("_manifest.json")).doesNotExist();
    assertThat(day().resolve("more.csv")).exists();
    assertThat(ledger.state("state")).isNotEqualTo("running");
  }

  @Test
  void isRefusedWhereThereIsNothing() throws Exception {
    Files.delete(day().resolve("data.csv"));

    assertThatThrownBy(this::adopt)
        .isInstanceOfSatisfying(
            LedgerRefusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.INVALID));
    assertThat(ledger.state("state")).isEqualTo("never_attempted");
  }
}
