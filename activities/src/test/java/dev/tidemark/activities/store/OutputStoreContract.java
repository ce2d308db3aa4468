package dev.tidemark.activities.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.partition.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store does, whatever keeps its objects. */
public abstract class OutputStoreContract {
  protected static final StagingArea AREA =
      new StagingArea("p/_staging", "p/", Pattern.compile("p/.*part-.*"));
  private static final int RIVALS = 8;

  /** The store, of an empty location that is the test's own. */
  protected abstract OutputStore store();

  /** Puts an object there by another way than the store's. */
  protected abstract void put(String name, String content) throws IOException;

  protected final Staging stage(long token) {
    return store().stage(new StagingId(AREA, "2026-09-05", token));
  }

  protected static Path write(Staging staging, String name, String content) throws IOException {
    return Files.writeString(staging.folder().resolve(name), content);
  }

  protected final List<String> names(String prefix) throws IOException {
    return names(prefix, null);
  }

  private List<String> names(String prefix, @Nullable String after) throws IOException {
    List<String> names = new ArrayList<>();
    store().walk(prefix, after, object -> names.add(object.name()));
    return names;
  }

  protected final Optional<String> text(String name) throws IOException {
    return store().read(name).map(StoredText::text);
  }

  /** Stages and promotes a small text. */
  protected final void publish(String name, String content, long token) throws IOException {
    try (Staging staging = stage(token)) {
      staging.add(write(staging, "file", content), name);
      staging.promote(List.of(name));
    }
  }

  // A prefix is one of names, not of folders; the order is that of the bytes of whole names. A
  // staging is told by its whole name.
  @Test
  void walksInTheByteOrderOfWholeNames() throws IOException {
    for (String name : List.of("p/a/1", "p/a-b/2", "p/a0_staging/3", "p/é/4")) {
      put(name, "x");
    }

    assertThat(names("p/")).containsExactly("p/a-b/2", "p/a/1", "p/a0_staging/3", "p/é/4");
    assertThat(names("p/a")).containsExactly("p/a-b/2", "p/a/1", "p/a0_staging/3");
    assertThat(names("p/", "p/a/1")).containsExactly("p/a0_staging/3", "p/é/4");
    assertThat(names("q/")).isEmpty();
    assertThat(names("")).hasSize(4);
  }

  // More than a page of any listing, and a walk that goes on where another ended.
  @Test
  void walksMoreThanAPage() throws IOException {
    List<String> expected =
        IntStream.range(0, 1_234).mapToObj(i -> String.format("p/dt=%04d/part", i)).toList();
    for (String name : expected) {
      put(name, "x");
    }

    assertThat(names("p/")).isEqualTo(expected);
    assertThat(names("p/", expected.get(1_100))).isEqualTo(expected.subList(1_101, 1_234));
    assertThat(names("p/dt=012")).isEqualTo(expected.subList(120, 130));
    List<String> first = new ArrayList<>();
    store().walk("p/", null, object -> first.add(object.name()) && first.size() < 3);
    assertThat(first).isEqualTo(expected.subList(0, 3));
  }

  @Test
  void walkTellsSizes() throws IOException {
    put("p/empty", "");
    put("p/three", "abc");
    List<StoredObject> found = new ArrayList<>();
    store().walk("p/", null, found::add);

    assertThat(found)
        .containsExactly(new StoredObject("p/empty", 0), new StoredObject("p/three", 3));
  }

  // A34, A37: staged where nobody looks, and there at once when it is promoted.
  @Test
  void showsWhatIsStagedOnlyWhenItIsPromoted() throws IOException {
    try (Staging staging = stage(1)) {
      String digest = staging.add(write(staging, "a.csv", "abc"), "p/day/a.csv");
      staging.add("{}", "p/day/_manifest.json");

      assertThat(digest)
          .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
      assertThat(names("")).isEmpty();
      assertThat(text("p/day/a.csv")).isEmpty();

      staging.promote(List.of("p/day/a.csv"));
      assertThat(staging.promoteIfAbsent("p/day/_manifest.json")).isTrue();
    }
    assertThat(names("")).containsExactly("p/day/_manifest.json", "p/day/a.csv");
    assertThat(text("p/day/a.csv")).contains("abc");
    try (InputStream content = store().open("p/day/a.csv")) {
      assertThat(content).hasContent("abc");
    }
  }

  // A task that wrote an empty file has made an empty file.
  @Test
  void keepsEmptyFiles() throws IOException {
    publish("p/day/empty", "", 1);

    assertThat(text("p/day/empty")).contains("");
  }

  @Test
  void promotesOverWhatHadTheName() throws IOException {
    publish("p/day/a", "old", 1);
    publish("p/day/a", "new", 2);

    assertThat(text("p/day/a")).contains("new");
  }

  // A42: and once the name is free, the same staging can take it.
  @Test
  void promotesAMarkerOnlyWhereThereIsNone() throws IOException {
    try (Staging first = stage(1);
        Staging second = stage(2)) {
      first.add("first", "p/m");
      second.add("second", "p/m");

      assertThat(first.promoteIfAbsent("p/m")).isTrue();
      assertThat(second.promoteIfAbsent("p/m")).isFalse();
      assertThat(text("p/m")).contains("first");
      store().delete("p/m");
      assertThat(second.promoteIfAbsent("p/m")).isTrue();
    }
    assertThat(text("p/m")).contains("second");
  }

  @Test
  void letsOneOfManyRivalsHaveAMarker() throws Exception {
    List<Callable<Boolean>> rivals = new ArrayList<>();
    for (int i = 0; i < RIVALS; i++) {
      long token = i;
      rivals.add(
          () -> {
            try (Staging staging = stage(token)) {
              staging.add("of " + token, "p/m");
              return staging.promoteIfAbsent("p/m");
            }
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(RIVALS);
    int winners = 0;
    try {
      for (Future<Boolean> rival : threads.invokeAll(rivals)) {
        winners += rival.get() ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(winners).isEqualTo(1);
  }

  // A37: whoever reads while others write gets one content, whole.
  @Test
  void neverShowsATornObject() throws Exception {
    publish("p/a", content(0), 1);
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> writing =
          writer.submit(
              () -> {
                for (int i = 1; i < 30; i++) {
                  publish("p/a", content(i), 1);
                }
                return null;
              });
      int reads = 0;
      while (!writing.isDone() || reads == 0) {
        String read = text("p/a").orElseThrow();
        assertThat(read).isEqualTo(content(read.charAt(0) - 'A'));
        reads++;
      }
      writing.get();
    } finally {
      writer.shutdownNow();
    }
  }

  private static String content(int i) {
    return String.valueOf((char) ('A' + i)).repeat(50_000);
  }

  // A44, A-g1: what a zombie has staged is gone, and promoting it fails by itself.
  @Test
  void takesTheStagingOfEarlierAttemptsAwayAndNoOther() throws IOException {
    StagingId own = new StagingId(AREA, "2026-09-05", 7);
    try (Staging zombie = stage(6);
        Staging later = stage(8)) {
      zombie.add(write(zombie, "a", "zombie"), "p/day/a-6");
      zombie.add("zombie", "p/day/m");
      later.add(write(later, "a", "later"), "p/day/a-8");

      store().endEarlier(own, zombie.uploads());
      store().endEarlier(own, zombie.uploads());

      assertThatThrownBy(() -> zombie.promote(List.of("p/day/a-6")))
          .isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> zombie.promoteIfAbsent("p/day/m"))
          .isInstanceOf(NoSuchFileException.class);
      later.promote(List.of("p/day/a-8"));
    }
    assertThat(names("p/")).containsExactly("p/day/a-8");
  }

  // The same of what is staged anew, because another's marker was in the way.
  @Test
  void takesAwayWhatWasRefusedOnce() throws IOException {
    put("p/day/m", "another's");
    try (Staging zombie = stage(6)) {
      zombie.add("zombie", "p/day/m");
      assertThat(zombie.promoteIfAbsent("p/day/m")).isFalse();
      store().delete("p/day/m");

      store().endEarlier(new StagingId(AREA, "2026-09-05", 7), zombie.uploads());

      assertThatThrownBy(() -> zombie.promoteIfAbsent("p/day/m"))
          .isInstanceOf(NoSuchFileException.class);
    }
    assertThat(text("p/day/m")).isEmpty();
  }

  // What was promoted cannot be taken away by its upload's id any more.
  @Test
  void doesNotTakeAwayWhatWasPromoted() throws IOException {
    try (Staging earlier = stage(6)) {
      earlier.add(write(earlier, "a", "kept"), "p/day/a-6");
      List<StagedUpload> recorded = earlier.uploads();
      earlier.promote(List.of("p/day/a-6"));

      store().endEarlier(new StagingId(AREA, "2026-09-05", 7), recorded);
    }
    assertThat(text("p/day/a-6")).contains("kept");
  }

  @Test
  void leavesNothingOfAStagingThatWasNotPromoted() throws IOException {
    Path folder;
    try (Staging staging = stage(1)) {
      assertThat(staging.isUsed()).isFalse();
      folder = staging.folder();
      assertThat(staging.isUsed()).isTrue();
      assertThat(folder).isEmptyDirectory();
      staging.add(write(staging, "a", "1"), "p/day/part-00000-1.csv");
    }
    assertThat(folder).doesNotExist();
    assertThat(names("")).isEmpty();
    assertThat(store().removeAbandoned(AREA, Duration.ZERO.minusDays(1))).isZero();
  }

  // A killed attempt cleans nothing up; age decides, and a young one may be alive.
  @Test
  void removesStagingsByAge() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add(write(staging, "a", "1"), "p/day/part-00000-1.csv");

      assertThat(store().removeAbandoned(AREA, Duration.ofDays(1))).isZero();
      assertThat(store().removeAbandoned(AREA, Duration.ofDays(1).negated())).isEqualTo(1);
      assertThatThrownBy(() -> staging.promote(List.of("p/day/part-00000-1.csv")))
          .isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void tellsWhatIsAbsent() throws IOException {
    assertThat(store().read("p/none")).isEmpty();
    assertThatThrownBy(() -> store().open("p/none")).isInstanceOf(NoSuchFileException.class);
    store().delete("p/none");
    assertThat(store().deleteIfUnchanged("p/none", "\"any\"")).isTrue();
  }

  @Test
  void deletes() throws IOException {
    put("p/a", "1");
    put("p/b", "2");

    store().delete("p/a");

    assertThat(names("p/")).containsExactly("p/b");
  }

  // Step 4 of the protocol: a zombie does not remove a newer marker, where the store can tell.
  @Test
  void deletesOnlyWhatWasRead() throws IOException {
    put("p/m", "1");
    String version = store().read("p/m").orElseThrow().version();
    put("p/m", "2");

    boolean deleted = store().deleteIfUnchanged("p/m", version);

    assertThat(deleted).isEqualTo(!tellsVersions());
    assertThat(text("p/m").isPresent()).isEqualTo(tellsVersions());
    put("p/m", "3");
    String present = store().read("p/m").orElseThrow().version();
    assertThat(store().deleteIfUnchanged("p/m", present)).isTrue();
    assertThat(text("p/m")).isEmpty();
  }

  /** Whether the store knows one content of a name from another. */
  protected abstract boolean tellsVersions();

  // Values of slices, as the layouts write them (B20): the reserved, the foreign, the empty.
  @ParameterizedTest
  @ValueSource(
      strings = {"/", "=", "%", ":", "+", "a b", "İstanbul", "日本", "..", ".", "", "a/../b", "\n"})
  void keepsAnyValueOfASlice(String value) throws IOException {
    String name = "p/" + Slice.of(Map.of("unit", value)).canonical() + "/dt=2026-09-05/part-0";

    publish(name, value, 1);

    assertThat(text(name)).contains(value);
    assertThat(names(name.substring(0, name.lastIndexOf('/') + 1))).containsExactly(name);
    store().delete(name);
    assertThat(names("")).isEmpty();
  }

  // A path of layout file may hold anything that is not in a placeholder.
  @ParameterizedTest
  @ValueSource(
      strings = {"a b+c%20d", "ünits=é:1,2", "a&b;c?d#e", "'quoted' \"twice\"", "~!@$^*()[]"})
  void keepsAnyName(String name) throws IOException {
    publish(name, "content", 1);

    assertThat(text(name)).contains("content");
    assertThat(names("")).containsExactly(name);
    assertThat(names("", name)).isEmpty();
  }

  // Kept whole, or refused before anything is there.
  @Test
  void keepsOrRefusesLongValues() throws IOException {
    String value = "x".repeat(500);
    String name = "p/" + Slice.of(Map.of("unit", value)).canonical() + "/part-0";
    Optional<String> expected;
    try {
      publish(name, "content", 1);
      expected = Optional.of("content");
    } catch (IOException refused) {
      assertThat(refused).hasMessageContaining("x".repeat(100));
      expected = Optional.empty();
    }
    assertThat(names("")).hasSize(expected.isPresent() ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../b", "a/../../b", "p/../../../etc/passwd"})
  void neverLeavesItsLocation(String name) {
    assertThatThrownBy(() -> store().read(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leads out of");
  }

  @Test
  void tellsAddresses() {
    assertThat(store().address("p/day/a")).endsWith("/p/day/a");
    assertThat(List.of(store().address("a"), store().address("b"))).doesNotHaveDuplicates();
  }
}
