package dev.tidemark.activities.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.inputs.ChangeDetector.Found;
import dev.tidemark.activities.inputs.ChangeDetector.Range;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesDetectorTest {
  private static final ZoneId ZONE = ZoneId.of("America/Los_Angeles");
  private static final Partitioning DAYS = new Partitioning(Grain.DAY, ZONE, "2026-09-01", null);

  @TempDir Path folder;

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private List<Found> scan(String glob, int days) throws IOException {
    return scan(glob, days, null);
  }

  private List<Found> scan(String glob, int days, @Nullable Slice slice) throws IOException {
    Range range =
        new Range(
            "p",
            DAYS,
            DAYS.parse("2026-09-01").start(),
            DAYS.plus(DAYS.first(), days).start(),
            slice);
    List<Found> found = new ArrayList<>();
    new FilesDetector(folder, glob).scan(range, found::add);
    return found;
  }

  private static List<String> labels(List<Found> found) {
    return found.stream().map(Found::partition).toList();
  }

  @Test
  void findsEachPartitionsFileInOneListingOrByItsName() throws IOException {
    write("input/2026-09-01.csv", "a");
    write("input/2026-09-03.csv", "b");
    write("input/2026-09-03.csv.tmp", "half");

    List<Found> few = scan("input/{partition}.csv", 3);
    List<Found> many = scan("input/{partition}.csv", 30);

    assertThat(labels(few)).containsExactly("2026-09-01", "2026-09-03");
    assertThat(many).isEqualTo(few);
  }

  // C22, C-g2: a version differs when the content may differ, and only then.
  @Test
  void changesTheVersionWithTheFileAndOnlyThen() throws IOException {
    write("2026-09-01.csv", "aa");
    Path file = folder.resolve("2026-09-01.csv");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-09-02T00:00:00Z")));
    String before = scan("{partition}.csv", 1).get(0).version();

    assertThat(scan("{partition}.csv", 1).get(0).version()).isEqualTo(before);
    // The same size, a nanosecond later.
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-09-02T00:00:00.000000001Z")));
    String touched = scan("{partition}.csv", 1).get(0).version();
    assertThat(touched).isNotEqualTo(before).hasSize(16);
    write("2026-09-01.csv", "aaa");
    assertThat(scan("{partition}.csv", 1).get(0).version()).isNotEqualTo(touched);
  }

  @Test
  void takesAllFilesOfAPartitionTogether() throws IOException {
    write("2026-09-01/a.csv", "1");
    String one = scan("{partition}/*.csv", 9).get(0).version();
    write("2026-09-01/b.csv", "2");
    write("2026-09-01/.hidden.csv", "3");

    List<Found> both = scan("{partition}/*.csv", 9);

    assertThat(labels(both)).containsExactly("2026-09-01");
    assertThat(both.get(0).version()).isNotEqualTo(one);
    Files.delete(folder.resolve("2026-09-01/b.csv"));
    assertThat(scan("{partition}/*.csv", 9).get(0).version()).isEqualTo(one);
  }

  @Test
  void readsTimePatternsAsFoldersInThePipelinesZone() throws IOException {
    write("in/2026/09/02/x.json", "1");

    assertThat(labels(scan("in/{start:yyyy/MM/dd}/*.json", 30))).containsExactly("2026-09-02");
    assertThat(labels(scan("in/{end:yyyy/MM/dd}/*.json", 2))).containsExactly("2026-09-01");
  }

  @Test
  void looksIntoFoldersBelow() throws IOException {
    write("in/2026-09-01/a/b/c.csv", "1");
    write("in/2026-09-01/d.csv", "1");

    String both = scan("in/{partition}/**/*.csv", 9).get(0).version();
    Files.delete(folder.resolve("in/2026-09-01/a/b/c.csv"));

    assertThat(scan("in/{partition}/**/*.csv", 9).get(0).version()).isNotEqualTo(both);
  }

  @Test
  void tellsSlicesApartWhereTheGlobDoes() throws IOException {
    write("seattle/2026-09-01-rain.csv", "1");
    write("izmir/2026-09-01-rain.csv", "2");

    List<Found> all = scan("{slice.unit}/{partition}-{slice.category}.csv", 9);
    Slice seattle = Slice.of(Map.of("unit", "seattle", "category", "rain"));
    List<Found> one = scan("{slice.unit}/{partition}-{slice.category}.csv", 1, seattle);

    assertThat(all.stream().map(found -> found.slice().canonical()))
        .containsExactlyInAnyOrder("category=rain/unit=izmir", "category=rain/unit=seattle");
    assertThat(one).hasSize(1);
    assertThat(
            all.stream().filter(found -> found.slice().equals(seattle)).toList().get(0).version())
        .isEqualTo(one.get(0).version());
  }

  @Test
  void findsNothingWhereThereIsNothing() throws IOException {
    assertThat(scan("not/there/{partition}.csv", 30)).isEmpty();
    assertThat(scan("not/there/{partition}.csv", 1)).isEmpty();
    Files.createDirectories(folder.resolve("2026-09-01.csv"));
    assertThat(scan("{partition}.csv", 1)).isEmpty();
  }

  // Never "nothing there": an unmounted or forbidden folder must not look like missing input.
  @Test
  void failsWhereItCannotLook() throws IOException {
    write("in/loop", "");
    Files.delete(folder.resolve("in/loop"));
    Files.createSymbolicLink(folder.resolve("in/loop"), folder.resolve("in/loop"));

    assertThatThrownBy(() -> scan("in/loop/{partition}*.csv", 30)).isInstanceOf(IOException.class);
  }

  @Test
  void refusesAPlaceholderThatAPartitionDoesNotHave() {
    assertThatThrownBy(() -> scan("{month}.csv", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{month}");
  }
}
