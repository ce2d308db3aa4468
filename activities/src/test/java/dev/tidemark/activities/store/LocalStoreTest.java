package dev.tidemark.activities.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest {
  private static final StagingArea AREA = new StagingArea("p/_staging", "p/");
  private static final Instant NOW = Instant.parse("2026-09-05T12:00:00Z");

  @TempDir Path location;
  private LocalStore store;

  @BeforeEach
  void open() {
    store = new LocalStore(location, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private Staging stage(long token) {
    return store.stage(new StagingId(AREA, "2026-09-05", token));
  }

  private static Path write(Staging staging, String name, String content) throws IOException {
    return Files.writeString(staging.folder().resolve(name), content);
  }

  private List<String> names(String prefix) throws IOException {
    return names(prefix, null);
  }

  private List<String> names(String prefix, @Nullable String after) throws IOException {
    List<String> names = new ArrayList<>();
    store.walk(prefix, after, object -> names.add(object.name()));
    return names;
  }

  // A prefix is one of names, not of folders; the order is that of an object store's listing.
  @Test
  void walksInTheByteOrderOfWholeNames() throws IOException {
    for (String name : List.of("p/a/1", "p/a-b/2", "p/a0/3", "p/é/4", "p/_staging/x/5")) {
      Files.createDirectories(location.resolve(name).getParent());
      Files.writeString(location.resolve(name), "x");
    }

    assertThat(names("p/")).containsExactly("p/a-b/2", "p/a/1", "p/a0/3", "p/é/4");
    assertThat(names("p/a")).containsExactly("p/a-b/2", "p/a/1", "p/a0/3");
    assertThat(names("p/", "p/a/1")).containsExactly("p/a0/3", "p/é/4");
    assertThat(names("q/")).isEmpty();
  }

  // A34, A37, A38: staged beside the target, and not seen before it is promoted.
  @Test
  void showsWhatIsStagedOnlyWhenItIsPromoted() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add(write(staging, "a.csv", "1"), "p/day/a.csv");
      assertThat(names("p/day/")).isEmpty();

      staging.promote(List.of("p/day/a.csv"));
    }
    assertThat(names("p/day/")).containsExactly("p/day/a.csv");
    assertThat(store.read("p/day/a.csv").map(StoredText::text)).contains("1");
    assertThat(location.resolve("p/_staging/2026-09-05-1")).doesNotExist();
  }

  @Test
  void tellsTheDigestOfWhatItStages() throws IOException {
    try (Staging staging = stage(1)) {
      String digest = staging.add(write(staging, "a", "abc"), "a");

      assertThat(digest)
          .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
      staging.promote(List.of("a"));
    }
    try (InputStream content = store.open("a")) {
      assertThat(content).hasContent("abc");
    }
    assertThatThrownBy(() -> store.open("b")).isInstanceOf(NoSuchFileException.class);
  }

  // A-g3: a rename would replace what is there.
  @Test
  void promotesAMarkerOnlyWhereThereIsNone() throws IOException {
    try (Staging first = stage(1);
        Staging second = stage(2)) {
      first.add("first", "m");
      second.add("second", "m");

      assertThat(first.promoteIfAbsent("m")).isTrue();
      assertThat(second.promoteIfAbsent("m")).isFalse();
    }
    assertThat(store.read("m").map(StoredText::text)).contains("first");
  }

  // A44, A-g1: what a zombie has staged is gone, and promoting it fails by itself.
  @Test
  void takesTheStagingOfEarlierAttemptsAwayAndNoOther() throws IOException {
    StagingId own = new StagingId(AREA, "2026-09-05", 7);
    try (Staging zombie = stage(6);
        Staging later = stage(8);
        Staging other = store.stage(new StagingId(AREA, "2026-09-05-abc", 1))) {
      zombie.add(write(zombie, "a", "zombie"), "out/a");
      later.folder();
      other.folder();

      store.endEarlier(own, List.of());

      assertThatThrownBy(() -> zombie.promote(List.of("out/a")))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(later.folder()).isDirectory();
      assertThat(other.folder()).isDirectory();
    }
    assertThat(names("out/")).isEmpty();
  }

  @Test
  void removesStagingsByAge() throws IOException {
    Files.createDirectories(location.resolve("p/_staging/old-1/files"));
    Files.createDirectories(location.resolve("p/_staging/young-2/files"));
    age("old-1", Duration.ofHours(25));
    age("young-2", Duration.ofHours(23));

    assertThat(store.removeAbandoned(AREA, Duration.ofDays(1))).isEqualTo(1);
    assertThat(location.resolve("p/_staging/old-1")).doesNotExist();
    assertThat(location.resolve("p/_staging/young-2")).exists();
  }

  private void age(String staging, Duration age) throws IOException {
    Files.setLastModifiedTime(
        location.resolve("p/_staging").resolve(staging), FileTime.from(NOW.minus(age)));
  }

  @Test
  void neverLeavesItsLocation() {
    assertThatThrownBy(() -> store.read("a/../../b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leads out of");
  }

  // A36, A39: across file systems there is no atomic move, and no other is made instead.
  @Test
  void failsRatherThanMoveInAnotherWay() throws IOException {
    Path elsewhere = Path.of("/dev/shm");
    Assumptions.assumeTrue(
        Files.isWritable(elsewhere)
            && !Files.getFileStore(elsewhere).equals(Files.getFileStore(location)));
    Path mounted = Files.createTempDirectory(elsewhere, "tidemark-test-");
    try (Staging staging = stage(1)) {
      Files.createSymbolicLink(location.resolve("mounted"), mounted);
      staging.add(write(staging, "a", "1"), "mounted/a");

      assertThatThrownBy(() -> staging.promote(List.of("mounted/a")))
          .isInstanceOf(AtomicMoveNotSupportedException.class);
      assertThat(mounted.resolve("a")).doesNotExist();
    } finally {
      Files.delete(mounted);
    }
  }
}
