package dev.tidemark.activities.index.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random transactions of every kind, edits, deletions and changes of the schema beside plain maps:
 * after each build the index shows what the maps say.
 *
 * <p>{@code -Dtidemark.objects.seed=17} replays one seed, {@code -Dtidemark.objects.seeds=1000}
 * runs that many, from {@code -Dtidemark.objects.first=1} on.
 */
class ObjectModelTest {
  private static final int SEEDS = Integer.getInteger("tidemark.objects.seeds", 5);
  private static final int FIRST = Integer.getInteger("tidemark.objects.first", 1);

  private static int incremental;

  @TempDir Path folder;

  @AfterAll
  static void someBuildsWereOfChangesOnly() {
    // One seed alone may have been of transactions that changed nearly everything.
    assertThat(incremental).isGreaterThanOrEqualTo(seeds().count() > 1 ? 1 : 0);
  }

  static LongStream seeds() {
    Long one = Long.getLong("tidemark.objects.seed");
    return one != null ? LongStream.of(one) : LongStream.range(FIRST, FIRST + (long) SEEDS);
  }

  // D12, D14, D16, D18, D21, D25, D26, D27, D28, D-g2, D-g4, D-g5, D-g6, D-g7
  @ParameterizedTest
  @MethodSource("seeds")
  void theIndexShowsWhatPlainMapsSay(long seed) throws Exception {
    ObjectModel model = new ObjectModel(seed, folder);
    for (int step = 1; step <= 8; step++) {
      model.change();
      model.build();

      assertThat(model.shown()).as("seed %d, build %d", seed, step).isEqualTo(model.expected());
    }
    incremental += model.incrementalBuilds();
  }
}
