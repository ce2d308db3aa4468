package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec.Commit;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  private static final Partitioning DAYS =
      new Partitioning(Grain.DAY, ZoneId.of("Europe/Istanbul"), "2026-01-01", null);

  private static Layout hive(Slice slice) {
    return Layout.of(new OutputSpec.Hive("./out"), "sales", DAYS, DAYS.parse("2026-09-05"), slice);
  }

  private static Layout file(String path, Slice slice, Commit commit) {
    return Layout.of(
        new OutputSpec.File("./out", path, commit), "sales", DAYS, DAYS.parse("2026-09-05"), slice);
  }

  // B20
  @ParameterizedTest
  @CsvSource({
    "2026-09-05, dt=2026-09-05",
    "2026-09-05T13, dt=2026-09-05/hour=13",
    "2026-11-01T01-0700, dt=2026-11-01/hour=01-0700",
    "2026-09-05T13:15, dt=2026-09-05/hour=13/minute=15",
    "2026-W36, week=2026-W36",
    "2026-09, month=2026-09",
    "2026-Q3, quarter=2026-Q3",
    "2026, year=2026"
  })
  void namesTheFoldersOfALabel(String label, String folders) {
    assertThat(HiveLayout.timeFolders(label)).isEqualTo(folders);
  }

  // B20, B21
  @Test
  void putsSlicesBeforeTheDaySortedAndEncoded() {
    Layout layout = hive(Slice.of(Map.of("unit", "a/b ..", "category", "rain")));

    assertThat(layout.output()).isEqualTo("sales/category=rain/unit=a%2Fb%20../dt=2026-09-05");
    assertThat(layout.marker()).isEqualTo(layout.output() + "/_manifest.json");
    assertThat(hive(Slice.EMPTY).output()).isEqualTo("sales/dt=2026-09-05");
  }

  // A bucket is often shared: what is not a target's name is somebody else's.
  @Test
  void tellsItsTargetsFromTheFilesOfOthers() {
    StagingArea parts = hive(Slice.EMPTY).stagingArea();
    assertThat(parts.prefix()).isEqualTo("sales/");
    assertThat(parts.targets().matcher("sales/dt=2026-09-05/part-00000-7.csv").matches()).isTrue();
    assertThat(parts.targets().matcher("sales/dt=2026-09-05/_manifest.json").matches()).isTrue();
    assertThat(parts.targets().matcher("sales/dt=2026-09-05/model.bin").matches()).isFalse();

    StagingArea files = file("data-{partition}.csv", Slice.EMPTY, Commit.MARKER).stagingArea();
    assertThat(files.prefix()).isEqualTo("data-");
    assertThat(files.targets().matcher("data-2026-09-05.csv").matches()).isTrue();
    assertThat(files.targets().matcher("data-2026-09-05.csv.commit").matches()).isTrue();
    assertThat(files.targets().matcher("data-of-somebody-else.bin").matches()).isFalse();
  }

  // B18
  @Test
  void tellsPartsOfEarlierAttemptsFromItsOwnAndFromWhatIsNoPart() {
    assertThat(HiveLayout.isStale("part-00000-41.csv", 42)).isTrue();
    assertThat(HiveLayout.isStale("part-00000.parquet", 42)).isTrue();
    assertThat(HiveLayout.isStale("part-00000-42.csv", 42)).isFalse();
    assertThat(HiveLayout.isStale("part-00000-43.csv", 42)).isFalse();
    assertThat(HiveLayout.isStale("_manifest.json", 42)).isFalse();
    assertThat(HiveLayout.isStale("notes.txt", 42)).isFalse();
  }

  @Test
  void fillsThePathOfAFileInThePipelinesZone() {
    Slice slice = Slice.of(Map.of("unit", "a/b"));

    Layout layout = file("{start:yyyy/MM/dd}/{slice.unit}/{partition}.json", slice, Commit.MARKER);

    assertThat(layout.output()).isEqualTo("2026/09/05/a%2Fb/2026-09-05.json");
    assertThat(layout.marker()).isEqualTo("2026/09/05/a%2Fb/2026-09-05.json.commit");
    assertThat(file("{partition}", slice, Commit.ATOMIC).marker()).isNull();
  }

  @Test
  void letsNoPathLeaveTheLocation() {
    Slice dots = Slice.of(Map.of("unit", ".."));

    assertThat(file("{slice.unit}/x", dots, Commit.ATOMIC).output()).isEqualTo("%2E./x");
    assertThatThrownBy(() -> file("../{partition}", dots, Commit.ATOMIC))
        .hasMessageContaining("not a plain path");
    assertThatThrownBy(() -> file("/etc/{partition}", dots, Commit.ATOMIC))
        .hasMessageContaining("not a plain path");
    assertThatThrownBy(() -> file("{slice.other}", dots, Commit.ATOMIC))
        .hasMessageContaining("{slice.other}");
  }
}
