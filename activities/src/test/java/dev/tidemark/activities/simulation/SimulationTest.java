package dev.tidemark.activities.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of 400 days on the real ledger, beside a model: late data, failures, crashes,
 * zombies, backfills, pauses, excuses, changes of definitions. Each claim must have a reason that
 * the model sees and keep every bound; when nothing happens any more, every partition is committed
 * from its newest version and every backfill has ended.
 *
 * <p>{@code -Dtidemark.simulation.seed=17} replays one seed, {@code
 * -Dtidemark.simulation.seeds=1000} runs that many, from {@code -Dtidemark.simulation.first=1} on.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("tidemark.simulation.seeds", 10);
  private static final int FIRST = Integer.getInteger("tidemark.simulation.first", 1);

  private static Doors doors;

  @BeforeAll
  static void open() {
    doors = new Doors();
  }

  @AfterAll
  static void close() {
    doors.close();
  }

  static LongStream seeds() {
    Long one = Long.getLong("tidemark.simulation.seed");
    return one != null ? LongStream.of(one) : LongStream.range(FIRST, FIRST + (long) SEEDS);
  }

  // A32, A56, C9, C12, C14, C15, C20, C21, c-A10, c-A20, c-B8, c-B20, c-C12, c-D3, c-D7; invariants
  // 1,
  // 2, 5, 7, 8, 10 and 11
  @ParameterizedTest
  @MethodSource("seeds")
  void everyPartitionIsMadeFromItsNewestVersionAndNoneWithoutAReason(long seed) {
    History history = new History(seed, doors);

    assertThat(history.run())
        .matches(claims -> claims > 0 || history.allWait(), "claims, or reasons to wait");
  }
}
