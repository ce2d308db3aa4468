package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who wakes a pipeline ("The ledger's rules", Wake-ups; C24). */
class WakeFlagsTest {
  private static final List<String> SALES = List.of("sales");

  @TempDir Path folder;
  private TestLedger ledger;
  private WakeFlags flags;
  private RegisteredPipeline sales;

  @BeforeEach
  void open() throws Exception {
    ledger = new TestLedger(folder);
    flags = new WakeFlags(ledger.database.dataSource());
    sales = ledger.register(TestPipeline.daily("sales"));
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  // c-I5: many commits, one wake-up, until the pass that it leads to begins
  @Test
  void isRaisedOnceUntilItIsLowered() {
    assertThat(flags.raise(SALES, true)).containsExactly("sales");
    assertThat(flags.raise(SALES, true)).isEmpty();
    flags.lower(sales);
    assertThat(flags.raise(SALES, true)).containsExactly("sales");
  }

  // A process that died between the flag and the signal
  @Test
  void aFlagThatNobodyFollowedUpIsRaisedAgain() {
    flags.raise(SALES, true);
    ledger.database.execute(
        "update tidemark.pipeline set woken_at = clock_timestamp() - interval '61 seconds'");
    assertThat(flags.raise(SALES, true)).containsExactly("sales");
  }

  @Test
  void whatIsPausedRemovedOrUnknownIsNotWoken() {
    Definitions definitions = new Definitions(ledger.database.dataSource());
    definitions.pause("sales", "test");
    assertThat(flags.raise(SALES, true)).isEmpty();
    definitions.resume("sales");
    definitions.remove("sales");
    assertThat(flags.raise(List.of("sales", "none"), true)).isEmpty();
  }

  // Equal content ends nothing but the waiting of those that wait
  @Test
  void equalContentWakesOnlyWhatWaits() {
    assertThat(flags.raise(SALES, false)).isEmpty();
    ledger.database.execute(
        "update tidemark.partition_ledger set no_input = true, upstream_hold = 'orders 2026-01-01'");
    assertThat(flags.raise(SALES, false)).containsExactly("sales");
  }

  // Backfills go on while live work is paused
  @Test
  void whatWasAskedForIsWokenThoughItsPipelineIsPaused() {
    new Definitions(ledger.database.dataSource()).pause("sales", "test");
    ledger.database.execute(
        "update tidemark.partition_ledger set no_input = true, upstream_hold = 'orders 2026-01-01',"
            + " requested_gen = done_gen + 1");
    assertThat(flags.raise(SALES, false)).containsExactly("sales");
  }
}
