package dev.tidemark.activities.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.inputs.ChangeDetector.Found;
import dev.tidemark.activities.inputs.ChangeDetector.Range;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.activities.store.s3.S3Listing;
import dev.tidemark.testing.S3Server;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

/** Input files in a bucket, against a real server (C22). */
class ObjectsDetectorTest {
  private static final Partitioning DAYS =
      new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-09-01", null);
  private static final Bucket BUCKET = S3Server.start().bucket("inputs");

  private final String prefix = "in-" + UUID.randomUUID();

  @AfterAll
  static void close() {
    BUCKET.close();
  }

  private void write(String name, String content) {
    BUCKET
        .client()
        .putObject(
            put -> put.bucket(BUCKET.name()).key(prefix + "/" + name),
            RequestBody.fromString(content));
  }

  private void delete(String name) {
    BUCKET.client().deleteObject(gone -> gone.bucket(BUCKET.name()).key(prefix + "/" + name));
  }

  private List<Found> scan(Bucket bucket, String glob, int days, @Nullable Slice slice)
      throws IOException {
    Range range =
        new Range("p", DAYS, DAYS.first().start(), DAYS.plus(DAYS.first(), days).start(), slice);
    List<Found> found = new ArrayList<>();
    new ObjectsDetector(new S3Listing(bucket), prefix + "/" + glob).scan(range, found::add);
    return found;
  }

  private List<Found> scan(String glob, int days) throws IOException {
    return scan(BUCKET, glob, days, null);
  }

  private static List<String> labels(List<Found> found) {
    return found.stream().map(Found::partition).toList();
  }

  @Test
  void findsTheFilesOfAllWindowsInOneListing() throws IOException {
    write("2026-09-01.csv", "a");
    write("2026-09-03.csv", "b");
    write("2026-09-03.csv.tmp", "half");

    assertThat(labels(scan("{partition}.csv", 30))).containsExactly("2026-09-01", "2026-09-03");
    assertThat(scan("{partition}.csv", 3)).isEqualTo(scan("{partition}.csv", 30));
  }

  // C-g2: a version differs when the content differs, and only then.
  @Test
  void changesTheVersionWithTheContentAndOnlyThen() throws IOException {
    write("2026-09-01.csv", "aa");
    String before = scan("{partition}.csv", 1).get(0).version();

    write("2026-09-01.csv", "aa");
    assertThat(scan("{partition}.csv", 1).get(0).version()).isEqualTo(before);
    write("2026-09-01.csv", "ab");
    assertThat(scan("{partition}.csv", 1).get(0).version()).isNotEqualTo(before);
  }

  // W11: what is taken away is a change
  @Test
  void takesAllFilesOfAPartitionTogetherWhereverTheyAre() throws IOException {
    write("2026/09/01/a.csv", "1");
    String one = scan("{start:yyyy/MM/dd}/**/*.csv", 9).get(0).version();
    write("2026/09/01/deep/er/b.csv", "2");
    write("2026/09/01/.hidden/c.csv", "3");

    List<Found> both = scan("{start:yyyy/MM/dd}/**/*.csv", 9);
    assertThat(labels(both)).containsExactly("2026-09-01");
    assertThat(both.get(0).version()).isNotEqualTo(one);
    delete("2026/09/01/deep/er/b.csv");
    assertThat(scan("{start:yyyy/MM/dd}/**/*.csv", 9).get(0).version()).isEqualTo(one);
  }

  @Test
  void tellsSlicesApartWhereTheGlobDoes() throws IOException {
    write("seattle/2026-09-01-rain.csv", "1");
    write("izmir/2026-09-01-rain.csv", "2");
    String glob = "{slice.unit}/{partition}-{slice.category}.csv";

    Slice seattle = Slice.of(Map.of("unit", "seattle", "category", "rain"));
    List<Found> all = scan(glob, 9);

    assertThat(all.stream().map(found -> found.slice().canonical()))
        .containsExactlyInAnyOrder("category=rain/unit=izmir", "category=rain/unit=seattle");
    assertThat(all).containsAll(scan(BUCKET, glob, 1, seattle));
  }

  // Never "nothing there"
  @Test
  void failsWhereItCannotLook() {
    try (Bucket absent = S3Server.connection("not-there", S3Server.start().endpoint(), "x")) {
      assertThatThrownBy(() -> scan(absent, "{partition}.csv", 3, null))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("list s3://not-there/");
    }
  }
}
