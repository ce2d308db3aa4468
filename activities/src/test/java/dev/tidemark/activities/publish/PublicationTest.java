package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.MemoryStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicationTest {
  private static final OutputSpec HIVE = new OutputSpec.Hive("out");

  @TempDir Path folder;
  private RedoneDay day;

  @BeforeEach
  void open() throws Exception {
    day = new RedoneDay(folder);
  }

  @AfterEach
  void close() {
    day.ledger.close();
  }

  /** The publication of an attempt, on a store of the test's own. */
  private Publication on(OutputStore store, OutputSpec output, Begun begun) {
    Clock clock = Clock.fixed(TestLedger.NOW, ZoneOffset.UTC);
    return new Publisher(day.ledger.attempts, location -> store, clock, "test").open(begun, output);
  }

  private LocalStore store() {
    return new LocalStore(folder.resolve("out"), Clock.fixed(TestLedger.NOW, ZoneOffset.UTC));
  }

  private Path day() {
    return folder.resolve("out/sales/dt=2026-01-01");
  }

  private Reader reader() {
    return new Reader(day());
  }

  // B16: every field of the contract, and no other.
  @Test
  void writesTheManifestOfTheContract() throws Exception {
    Begun begun = day.begin();

    Committed committed = day.publish(begun, HIVE, "one", "twos");

    JsonNode manifest = new ObjectMapper().readTree(day().resolve("_manifest.json").toFile());
    List<String> fields = new ArrayList<>();
    for (Iterator<String> names = manifest.fieldNames(); names.hasNext(); ) {
      fields.add(names.next());
    }
    assertThat(fields)
        .containsExactly(
            "format_version",
            "pipeline",
            "partition",
            "slice",
            "window_start",
            "window_end",
            "zone",
            "token",
            "revision",
            "definition",
            "input_version",
            "processed_at",
            "attempt_began_at",
            "closed_through",
            "predecessor",
            "rows",
            "bytes",
            "content",
            "schema",
            "source",
            "files",
            "created_by");
    assertThat(manifest.get("window_start").asText()).isEqualTo("2025-12-31T21:00:00Z");
    assertThat(manifest.get("token").asLong()).isEqualTo(begun.token());
    assertThat(manifest.get("closed_through").asText()).isEqualTo("2025-12-31T21:00:00Z");
    assertThat(manifest.get("bytes").asLong()).isEqualTo(7).isEqualTo(committed.bytes());
    assertThat(manifest.get("rows").asLong()).isEqualTo(7);
    assertThat(manifest.get("schema").isNull()).isTrue();
    assertThat(manifest.get("content").asText()).isEqualTo(committed.content());
    assertThat(manifest.get("created_by").asText()).isEqualTo("tidemark test");
    JsonNode file = manifest.get("files").get(1);
    assertThat(file.get("name").asText()).isEqualTo("part-00001-" + begun.token() + ".csv");
    assertThat(file.get("sha256").asText()).hasSize(64);
    assertThat(file.get("rows").isNull()).isTrue();
  }

  // B18, B22, B-g4, c-J6: three where there were five leaves exactly three, and no other's is
  // named.
  @Test
  void replacesALongerRunExactly() throws Exception {
    day.publish(day.begin(), HIVE, "1", "2", "3", "4", "5");
    Files.writeString(day().resolve("part-of-somebody-else.csv"), "stray");

    day.publish(day.begin(), HIVE, "a", "b", "c");

    assertThat(reader().read()).hasValue(List.of("a", "b", "c"));
    assertThat(reader().parts()).hasSize(3);
  }

  // A51: the same content has the same hash, whoever made it.
  @Test
  void hashesContentAlone() throws Exception {
    String first = day.publish(day.begin(), HIVE, "1", "2").content();

    assertThat(day.publish(day.begin(), HIVE, "1", "2").content()).isEqualTo(first);
    assertThat(day.publish(day.begin(), HIVE, "12", "").content()).isNotEqualTo(first);
  }

  // A43 to A47, B13, B14, W10, B-g1, c-J3: killed before any step, the reader finds all of it or
  // none.
  @Test
  void neverShowsAPartOfAnOutputHoweverItIsKilled() throws Exception {
    day.publish(day.begin(), HIVE, "old1", "old2", "old3");
    int absent = 0;
    boolean reached = true;
    for (int step = 0; reached; step++) {
      List<String> before = reader().read().orElseThrow();
      SteppedStore killed =
          new SteppedStore(
              store(),
              step,
              () -> {
                throw new IOException("-9");
              });
      Publication publication = on(killed, HIVE, day.begin());
      RedoneDay.write(publication, "new" + step, "end" + step);
      try {
        publication.publish("v2", Contents.of(null));
      } catch (IOException e) {
        assertThat(e).hasMessage("-9");
      }
      reached = killed.wasReached();

      List<String> published = List.of("new" + step, "end" + step);
      assertThat(reader().read().orElse(before)).as("step %d", step).isIn(before, published);
      absent += reader().read().isEmpty() ? 1 : 0;
      // The next attempt makes it whole, and nothing is left of the killed one.
      day.publish(day.begin(), HIVE, "again" + step);
      assertThat(reader().read()).hasValue(List.of("again" + step));
      assertThat(folder.resolve("out/sales/_staging")).isEmptyDirectory();
    }
    assertThat(absent).as("steps between the old marker and the new one").isPositive();
  }

  // Invariant 2, A-g1, B-g5, c-B6, c-B15: overtaken before any step, the older attempt harms
  // nothing.
  @Test
  void neverLetsAnOlderAttemptMixIntoANewerOne() throws Exception {
    boolean reached = true;
    for (int step = 0; reached; step++) {
      List<String> newer = List.of("newer" + step, "newest" + step);
      SteppedStore overtaken =
          new SteppedStore(store(), step, () -> publishQuietly(newer.get(0), newer.get(1)));
      try (Publication zombie = on(overtaken, HIVE, day.begin())) {
        RedoneDay.write(zombie, "zombie1", "zombie2", "zombie3");
        try {
          zombie.publish("v0", Contents.of(null));
        } catch (SupersededException | IOException e) {
          assertThat(overtaken.wasReached()).as("step %d: %s", step, e).isTrue();
        }
      }
      reached = overtaken.wasReached();
      if (reached) {
        // It may remove a marker, which is the safe direction; it may add nothing.
        assertThat(reader().read().orElse(newer)).as("step %d", step).isEqualTo(newer);
        assertThat(reader().parts()).as("step %d", step).hasSize(2);
      }
    }
  }

  private void publishQuietly(String... contents) {
    try {
      day.publish(day.begin(), HIVE, contents);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  // c-J7: a recompute to nothing replaces what was there, and is complete.
  @Test
  void replacesAnOutputByAnEmptyOne() throws Exception {
    day.publish(day.begin(), HIVE, "1", "2");

    Committed committed = day.publish(day.begin(), HIVE);

    assertThat(reader().read()).hasValue(List.of());
    assertThat(reader().parts()).isEmpty();
    assertThat(committed.files()).isZero();
  }

  // A-g1: another's marker was in the way, so that the zombie's was staged anew. The later attempt
  // knows of that one too, and was killed before it had a marker of its own.
  @Test
  void takesAwayAMarkerThatAZombieHasStagedAnew() throws Exception {
    MemoryStore memory = new MemoryStore();
    String marker = "sales/dt=2026-01-01/_manifest.json";
    SteppedStore inTheWay = new SteppedStore(memory, 6, () -> memory.put(marker, "slipped in"));
    SteppedStore overtaken = new SteppedStore(inTheWay, 10, () -> publishUntilKilled(memory));
    try (Publication zombie = on(overtaken, HIVE, day.begin())) {
      RedoneDay.write(zombie, "zombie");

      assertThatThrownBy(() -> zombie.publish("v0", Contents.of(null)))
          .isInstanceOf(SupersededException.class);
    }

    assertThat(overtaken.wasReached()).isTrue();
    assertThat(memory.read(marker)).isEmpty();
  }

  /** Killed before it promotes its files: what earlier attempts have staged is taken away. */
  private void publishUntilKilled(OutputStore store) {
    SteppedStore killed =
        new SteppedStore(
            store,
            4,
            () -> {
              throw new IOException("-9");
            });
    try {
      Publication later = on(killed, HIVE, day.begin());
      RedoneDay.write(later, "later");
      assertThatThrownBy(() -> later.publish("v1", Contents.of(null))).hasMessage("-9");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  // Tokens grow for ever: a ledger that has forgotten does not undo what a later attempt made.
  @Test
  void leavesAMarkerWithALargerTokenAlone() throws Exception {
    day.publish(day.begin(), HIVE, "later");
    Path marker = day().resolve("_manifest.json");
    String later = Files.readString(marker).replaceAll("\"token\":[0-9]+", "\"token\":999999");
    Files.writeString(marker, later);

    assertThatThrownBy(() -> day.publish(day.begin(), HIVE, "earlier"))
        .isInstanceOf(OutrankedException.class)
        .hasMessageContaining("999999");
    assertThat(marker).hasContent(later);

    day.publish(day.begin(), HIVE, "after the day.ledger was restored");
    assertThat(reader().read()).hasValue(List.of("after the day.ledger was restored"));
  }

  // What a commit was about to publish is published, and what came before it is taken away.
  @Test
  void looksForStagedUploadsAfterTheLastCommitOnly() throws Exception {
    Begun first = day.begin();
    day.publish(first, HIVE, "x");
    assertThat(day.ledger.attempts.earlierIntents(day.begin().token())).hasSize(1);

    day.ledger.database.execute(
        "update tidemark.partition_ledger set committed_token = " + first.token());

    assertThat(day.ledger.attempts.earlierIntents(day.begin().token())).isEmpty();
  }

  // B19: also files that no attempt named, if the marker that is replaced named them.
  @Test
  void removesWhatTheOldMarkerNamed() throws Exception {
    day.publish(day.begin(), HIVE, "x");
    Path marker = day().resolve("_manifest.json");
    Path part = day().resolve(reader().parts().get(0));
    Files.move(part, day().resolve("data.csv"));
    Files.writeString(
        marker, Files.readString(marker).replace(part.getFileName().toString(), "data.csv"));

    day.publish(day.begin(), HIVE, "y");

    assertThat(day().resolve("data.csv")).doesNotExist();
  }

  // Invariant 3, A11, A37
  @Test
  void showsAReaderWholePartitionsOnlyWhileItIsRedone() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Integer> seen =
        CompletableFuture.supplyAsync(
            () -> {
              int reads = 0;
              while (!done.get()) {
                reads += readWhole() ? 1 : 0;
              }
              return reads;
            });
    for (int i = 0; i < 30; i++) {
      String content = "x".repeat(i);
      day.publish(day.begin(), HIVE, content, content, content);
    }
    done.set(true);
    assertThat(seen.get()).isPositive();
  }

  private boolean readWhole() {
    try {
      List<String> contents = reader().read().orElse(List.of());
      assertThat(contents.stream().distinct().count()).isLessThanOrEqualTo(1);
      return !contents.isEmpty();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
