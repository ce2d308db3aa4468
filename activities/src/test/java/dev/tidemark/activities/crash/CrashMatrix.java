package dev.tidemark.activities.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A real process is killed with {@code kill -9} at each step of the publish protocol; then the
 * normal algorithm runs again (A43 to A47, A56, B-g1, c-J3, c-J4; invariants 3 and 4).
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrashMatrix {
  @TempDir Path folder;

  /** Where the outputs go. */
  abstract StoreAddress store() throws Exception;

  /** Where it is left. */
  abstract Stream<Point> points();

  // B18, B19: three parts where there were five, whatever was half done.
  @ParameterizedTest
  @MethodSource("points")
  void showsWholePartitionsOnlyAndIsWholeAgainAfterTheNextRun(Point point) throws Exception {
    // Started first: it gets ready while the scene is set.
    try (AttemptProcess process = AttemptProcess.start(folder.resolve("process.log"));
        CrashScene scene = new CrashScene(folder, store());
        WatchingReader reader = scene.watch()) {
      kill(process, scene, point, new AttemptProcess.Output("killed", 3));
      scene.ledger.expire();
      PartitionOutcome outcome = scene.run(scene.claim(), "second", 3);

      assertThat(outcome.kind()).isEqualTo(PartitionOutcome.Kind.COMMITTED);
      assertThat(reader.seen()).isSubsetOf("first", "absent", "killed", "second");
      // Published and not yet settled: it stands, and nothing runs twice (A45).
      boolean published = point == Point.AFTER_PROMOTING_THE_MARKER;
      scene.requireWhole(published ? "killed" : "second", 3);
    }
  }

  // c-J7, B-g7: no rows, and none of the old ones left.
  @ParameterizedTest
  @EnumSource(
      value = Point.class,
      names = {
        "BEFORE_STAGING_THE_MARKER",
        "BEFORE_LISTING_THE_PARTS",
        "BEFORE_REMOVING_THE_SECOND_STALE_PART",
        "AFTER_PROMOTING_THE_MARKER"
      })
  void replacesRowsByNone(Point point) throws Exception {
    try (AttemptProcess process = AttemptProcess.start(folder.resolve("process.log"));
        CrashScene scene = new CrashScene(folder, store());
        WatchingReader reader = scene.watch()) {
      kill(process, scene, point, new AttemptProcess.Output("killed", 0));
      scene.ledger.expire();
      scene.run(scene.claim(), "second", 0);

      assertThat(reader.seen()).isSubsetOf("first", "absent", "no rows");
      scene.requireWhole("second", 0);
    }
  }

  private static void kill(
      AttemptProcess process, CrashScene scene, Point point, AttemptProcess.Output output)
      throws Exception {
    scene.attempt(process, scene.claim(), point, "KILL", output);
    assertThat(process.waitFor()).as("%s: %s", point, process.printed()).isEqualTo(128 + 9);
  }
}
