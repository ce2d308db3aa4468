package dev.tidemark.activities.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An attempt is frozen past its lease at each step of the publish protocol, its successor
 * publishes, and the frozen one wakes (invariant 2, A-g1, B-g5, c-B6, c-B13, c-B15).
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ZombieMatrix {
  @TempDir Path folder;

  /** One for all points: a process that has woken can be frozen again. */
  private AttemptProcess zombie;

  /** Where the outputs go. */
  abstract StoreAddress store() throws Exception;

  /** Where it is left. */
  abstract Stream<Point> points();

  @BeforeAll
  void startZombie(@TempDir Path logs) throws IOException {
    zombie = AttemptProcess.start(logs.resolve("zombie.log"));
  }

  @AfterAll
  void endZombie() throws IOException, InterruptedException {
    assertThat(zombie.end()).as(zombie.printed()).isZero();
  }

  @ParameterizedTest
  @MethodSource("points")
  void refusesAnAttemptThatWakesAfterItsSuccessorPublished(Point point) throws Exception {
    try (CrashScene scene = new CrashScene(folder, store());
        WatchingReader reader = scene.watch()) {
      scene.attempt(zombie, scene.claim(), point, "STOP", new AttemptProcess.Output("zombie", 4));
      try {
        awaitStopped(zombie);
        scene.ledger.expire();
        PartitionOutcome successor = scene.run(scene.claim(), "second", 3);
        assertThat(successor.kind()).isEqualTo(PartitionOutcome.Kind.COMMITTED);
      } finally {
        signal("CONT", zombie);
        zombie.goOn();
      }
      assertThat(zombie.outcome(point)).isEqualTo("RELEASED");
      assertThat(reader.seen()).isSubsetOf("first", "absent", "zombie", "second");
      // It may have removed its successor's marker, which the next sweep writes back.
      scene.verify();
      // What the frozen one had published is settled by its successor as it stands (A45).
      boolean published = point == Point.AFTER_PROMOTING_THE_MARKER;
      scene.requireWhole(published ? "zombie" : "second", published ? 4 : 3);
    }
  }

  private static void awaitStopped(AttemptProcess process) throws Exception {
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    while (!state(stat).equals("T")) {
      assertThat(process.isAlive()).as(process.printed()).isTrue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private static String state(Path stat) throws IOException {
    String text = Files.readString(stat);
    return text.substring(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
  }

  private static void signal(String name, AttemptProcess process) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }
}
