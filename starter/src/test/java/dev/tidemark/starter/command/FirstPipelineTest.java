package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new user does first, on real services. */
class FirstPipelineTest {
  @TempDir Path folder;

  @Test
  void thePipelineOfTheReadmeIsSwept() throws IOException {
    Trial trial = Trial.with(folder, Page.readme().blocks("yaml").get(0).text());
    for (int day = 1; day <= 3; day++) {
      trial.write("input/2026-01-0%d.csv".formatted(day), "sold,%d\n".formatted(day));
    }

    // An hour after the end of 2 January in Istanbul: the third is not closed.
    Trial.Ran sweep = trial.json("sweep", "daily-sales", "--now", "2026-01-02T22:00:00Z");

    assertThat(sweep.exit()).as(sweep.out() + sweep.err()).isZero();
    assertThat(sweep.json().path("completed").asInt()).isEqualTo(2);
    assertThat(published("daily-sales", "2026-01-01")).containsExactly("sold,1\n");
    assertThat(published("daily-sales", "2026-01-02")).containsExactly("sold,2\n");
    assertThat(folder.resolve("out/daily-sales/dt=2026-01-03")).doesNotExist();
  }

  @Test
  void theExampleOfInitIsSweptAndAChangedDayAlone() throws IOException {
    Trial trial = new Trial(folder);
    assertThat(Trial.runBare("init", folder.toString()).exit()).isZero();

    Trial.Ran first = trial.json("sweep", "line-counts");
    assertThat(first.exit()).as(first.out() + first.err()).isZero();
    assertThat(first.json().path("completed").asInt()).isEqualTo(3);
    assertThat(published("line-counts", "2026-01-02")).hasSize(1).first().asString().contains("3");

    // As the example's own comment says.
    Path input = folder.resolve("input/2026-01-02.csv");
    Files.writeString(input, Files.readString(input) + "one more\n");
    Trial.Ran second = trial.json("sweep", "line-counts");
    assertThat(second.json().path("completed").asInt()).as(second.out()).isEqualTo(1);
    assertThat(published("line-counts", "2026-01-02")).hasSize(1).first().asString().contains("4");
  }

  /** The contents of the parts of a partition that is complete. */
  private List<String> published(String pipeline, String day) throws IOException {
    Path partition = folder.resolve("out").resolve(pipeline).resolve("dt=" + day);
    assertThat(partition.resolve("_manifest.json")).exists();
    try (Stream<Path> files = Files.list(partition)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .map(FirstPipelineTest::text)
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
