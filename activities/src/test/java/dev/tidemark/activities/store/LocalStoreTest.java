package dev.tidemark.activities.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest extends OutputStoreContract {
  @TempDir Path location;
  private LocalStore store;

  @BeforeEach
  void open() {
    store = new LocalStore(location, Clock.systemUTC());
  }

  @Override
  protected OutputStore store() {
    return store;
  }

  @Override
  protected void put(String name, String content) throws IOException {
    Files.createDirectories(location.resolve(name).getParent());
    Files.writeString(location.resolve(name), content);
  }

  @Override
  protected boolean tellsVersions() {
    return false;
  }

  // A38: on the same file system, below the location, where no walk comes.
  @Test
  void stagesBesideItsTargets() throws IOException {
    put("p/_staging/2026-09-05-9/files/x", "somebody else's");
    try (Staging staging = stage(1)) {
      assertThat(staging.folder()).startsWith(location.resolve("p/_staging/2026-09-05-1"));
      assertThat(names("")).isEmpty();
    }
    assertThat(location.resolve("p/_staging/2026-09-05-1")).doesNotExist();
  }

  // A-g1: in a close that never comes nothing is left either.
  @Test
  void takesTheStagingAwayOnceAllOfItIsVisible() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add(Files.writeString(staging.folder().resolve("x"), "content"), "p/x");
      staging.add("marker", "p/m");
      staging.startSecuring();

      staging.promote(List.of("p/x"));
      assertThat(location.resolve("p/_staging/2026-09-05-1")).isDirectory();
      assertThat(staging.promoteIfAbsent("p/m")).isTrue();

      assertThat(location.resolve("p/_staging")).isEmptyDirectory();
      assertThat(location.resolve("p/x")).hasContent("content");
    }
  }

  // Only what is of the same partition, to the letter.
  @Test
  void takesNothingOfAPartitionWhoseNameBeginsTheSame() throws IOException {
    try (Staging other = store.stage(new StagingId(AREA, "2026-09-05-abc", 1))) {
      other.folder();

      store.endEarlier(new StagingId(AREA, "2026-09-05", 7), List.of());

      assertThat(other.folder()).isDirectory();
    }
  }

  @Test
  void removesStagingsByTheTimeOfTheirFolder() throws IOException {
    Instant now = Instant.parse("2026-09-05T12:00:00Z");
    LocalStore then = new LocalStore(location, Clock.fixed(now, ZoneOffset.UTC));
    Path old = Files.createDirectories(location.resolve("p/_staging/old-1"));
    Path young = Files.createDirectories(location.resolve("p/_staging/young-2"));
    Files.setLastModifiedTime(old, FileTime.from(now.minus(Duration.ofHours(25))));
    Files.setLastModifiedTime(young, FileTime.from(now.minus(Duration.ofHours(23))));

    assertThat(then.removeAbandoned(AREA, Duration.ofDays(1))).isEqualTo(1);
    assertThat(old).doesNotExist();
    assertThat(young).exists();
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

  // A40, A42: readers wait for the marker, so the file may be copied; of two markers one is
  // refused.
  @Test
  void copiesWhereReadersWaitForTheMarker() throws IOException {
    Path elsewhere = Path.of("/dev/shm");
    Assumptions.assumeTrue(
        Files.isWritable(elsewhere)
            && !Files.getFileStore(elsewhere).equals(Files.getFileStore(location)));
    Path mounted = Files.createTempDirectory(elsewhere, "tidemark-test-");
    StagingArea area = new StagingArea("_staging/p", "mounted/", AREA.targets(), true);
    try (Staging first = store.stage(new StagingId(area, "2026-09-05", 1));
        Staging second = store.stage(new StagingId(area, "2026-09-05", 2))) {
      Files.createSymbolicLink(location.resolve("mounted"), mounted);
      first.add(write(first, "a", "of the first"), "mounted/a");
      first.add("first", "mounted/a.commit");
      second.add(write(second, "a", "2"), "mounted/a");
      second.add("second", "mounted/a.commit");

      first.promote(List.of("mounted/a"));
      assertThat(first.promoteIfAbsent("mounted/a.commit")).isTrue();
      second.promote(List.of("mounted/a"));
      assertThat(second.promoteIfAbsent("mounted/a.commit")).isFalse();

      assertThat(text("mounted/a")).contains("2");
      assertThat(text("mounted/a.commit")).contains("first");
      // A zombie, whose staging was taken away, removes nothing.
      store.endEarlier(new StagingId(area, "2026-09-05", 3), List.of());
      assertThatThrownBy(() -> second.promote(List.of("mounted/a")))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(text("mounted/a")).contains("2");
    } finally {
      Files.deleteIfExists(mounted.resolve("a"));
      Files.deleteIfExists(mounted.resolve("a.commit"));
      Files.delete(mounted);
    }
  }

  // A location that cannot be read is not an empty one.
  @Test
  void aLocationThatIsNoFolderIsNotAnEmptyOne() throws IOException {
    Path file = Files.writeString(location.resolve("file"), "x");
    LocalStore wrong = new LocalStore(file, Clock.systemUTC());

    assertThatThrownBy(() -> wrong.walk("", null, object -> true))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
  }

  // A file in the place of a folder, whatever is asked.
  @Test
  void saysWhereAFileIsInThePlaceOfAFolder() throws IOException {
    put("p/day", "no folder");

    assertThatThrownBy(() -> store.read("p/day/_manifest.json"))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
        .hasMessageContaining("p/day/_manifest.json cannot be there")
        .hasMessageContaining("file where a folder must be");
    assertThatThrownBy(() -> publish("p/day/part-0", "x", 1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("p/day is a file where a folder must be");
    assertThat(names("p/")).containsExactly("p/day");
  }

  @Test
  void tellsFaultsOfTheDiskFromThoseOfAFile() {
    assertThat(kind(new AccessDeniedException("/out/a"))).isEqualTo(Kind.DENIED);
    assertThat(kind(new FileSystemException("/out/a", null, "Read-only file system")))
        .isEqualTo(Kind.DENIED);
    assertThat(kind(new FileSystemException("/out/a", null, "No space left on device")))
        .isEqualTo(Kind.FULL);
    assertThat(kind(new IOException("No space left on device"))).isEqualTo(Kind.FULL);
    assertThat(kind(new FileSystemException("/out/a", null, "Stale file handle")))
        .isEqualTo(Kind.UNREACHABLE);
    FileSystemException other = new FileSystemException("/out/a", null, "File name too long");
    assertThatThrownBy(() -> fail(other)).isSameAs(other);
  }

  // A43, A-g3: no other way is taken where a file system has no hard links.
  @Test
  void tellsThatAFileSystemHasNoHardLinks() {
    for (String reason : List.of("Operation not permitted", "Operation not supported")) {
      FileSystemException fault = new FileSystemException("/out/m", "/out/staged/0", reason);
      assertThat(LocalFaults.meansNoLinks(fault)).isTrue();
      assertThat(LocalFaults.noLinks(Path.of("/out/m"), fault))
          .hasMessageContaining("no hard links")
          .hasCause(fault)
          .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED));
    }
    assertThat(LocalFaults.meansNoLinks(new FileSystemException("/m", "/0", "Too many links")))
        .isFalse();
  }

  private static Kind kind(IOException fault) {
    try {
      fail(fault);
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("/out").hasCause(fault);
      return e.kind();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("nothing was thrown");
  }

  private static void fail(IOException fault) throws IOException {
    new LocalFaults(Path.of("/out"))
        .tell(
            () -> {
              throw fault;
            });
  }
}
