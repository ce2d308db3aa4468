package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec.Commit;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publishing with layout file: the move over the old file is the commit. */
class FilePublicationTest {
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

  // A34, A35, A37: the old file until the new one, never none.
  @Test
  void movesAFileOverTheOldOne() throws Exception {
    OutputSpec file = new OutputSpec.File("flat", "{start:yyyy}/{partition}.json", Commit.ATOMIC);

    day.publish(day.begin(), file, "old");
    day.publish(day.begin(), file, "new");

    Path path = folder.resolve("flat/2026/2026-01-01.json");
    assertThat(path).hasContent("new");
    assertThat(names(folder.resolve("flat/2026"))).containsExactly("2026-01-01.json");
  }

  // A40 to A42: where moves are not atomic, the file alone is not complete.
  @Test
  void writesTheCommitMarkerBesideTheFile() throws Exception {
    OutputSpec file = new OutputSpec.File("flat", "{partition}.json", Commit.MARKER);
    Begun begun = day.begin();

    day.publish(begun, file, "x");

    Path marker = folder.resolve("flat/2026-01-01.json.commit");
    assertThat(Json.read(Files.readString(marker), Manifest.class).token())
        .isEqualTo(begun.token());
  }

  // A36, A39 to A42: across file systems there is no atomic move. With a marker none is needed.
  @Test
  void copiesAFileThatWaitsForItsMarkerWhereMovesAreNotAtomic() throws Exception {
    Path elsewhere = Path.of("/dev/shm");
    Assumptions.assumeTrue(
        Files.isWritable(elsewhere)
            && !Files.getFileStore(elsewhere).equals(Files.getFileStore(folder)));
    Path mounted = Files.createTempDirectory(elsewhere, "tidemark-test-");
    Path file = mounted.resolve("2026-01-01.json");
    Path marker = mounted.resolve("2026-01-01.json.commit");
    try {
      Files.createSymbolicLink(Files.createDirectory(folder.resolve("flat")).resolve("m"), mounted);
      OutputSpec atomic = new OutputSpec.File("flat", "m/{partition}.json", Commit.ATOMIC);
      assertThatThrownBy(() -> day.publish(day.begin(), atomic, "x"))
          .isInstanceOf(AtomicMoveNotSupportedException.class);
      assertThat(names(mounted)).isEmpty();

      OutputSpec marked = new OutputSpec.File("flat", "m/{partition}.json", Commit.MARKER);
      for (String content : List.of("one", "another")) {
        Begun begun = day.begin();
        day.publish(begun, marked, content);

        assertThat(file).hasContent(content);
        assertThat(Json.read(Files.readString(marker), Manifest.class).token())
            .isEqualTo(begun.token());
      }
      assertThat(names(mounted)).hasSize(2);
      assertThat(folder.resolve("flat/_staging/sales")).isEmptyDirectory();
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(marker);
      Files.delete(mounted);
    }
  }

  @Test
  void takesExactlyOneFileForLayoutFile() {
    OutputSpec file = new OutputSpec.File("flat", "{partition}.json", Commit.ATOMIC);

    assertThatThrownBy(() -> day.publish(day.begin(), file, "a", "b"))
        .isInstanceOf(RefusedOutputException.class)
        .hasMessage("layout file takes exactly one file; the task left 2: f0.csv, f1.csv");
    assertThatThrownBy(() -> day.publish(day.begin(), file, new String[1_000]))
        .hasMessageEndingWith("1000: f0.csv, f1.csv, f10.csv, f100.csv, f101.csv, ...");
    assertThatThrownBy(() -> day.publish(day.begin(), file))
        .isInstanceOf(RefusedOutputException.class)
        .hasMessageEndingWith("the task left none");
  }

  // A45 for a layout without marker: the file's content tells whose it is.
  @Test
  void recognisesAFileThatAnEarlierAttemptPublished() throws Exception {
    OutputSpec file = new OutputSpec.File("flat", "{partition}.json", Commit.ATOMIC);
    day.publish(day.begin(), file, "x");
    String intent =
        day.ledger.query("select intent from tidemark.attempt where intent is not null");

    try (Publication next = day.ledger.publisher.open(day.begin(), file)) {
      assertThat(next.earlierCommit(intent)).isPresent();
      Files.writeString(folder.resolve("flat/2026-01-01.json"), "other");
      assertThat(next.earlierCommit(intent)).isEmpty();
    }
  }

  private static List<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
