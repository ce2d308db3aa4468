package dev.tidemark.activities.ledger.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.workflows.partition.Grain;
import java.time.Period;
import org.junit.jupiter.api.Test;

/** What begins and commits read, where their plans were made while nothing had been attempted. */
final class AttemptsCostTest {
  private static final String NOW = "2026-01-15T00:00:00Z";

  // Invariant 9
  @Test
  void noBeginOrCommitReadsAttemptsOfOtherPartitions() {
    try (LedgerTestDatabase database = LedgerTestDatabase.create()) {
      Ledger ledger = new Ledger(database);
      var pipeline =
          ledger.ready(
              Pipelines.daily("hours").partitions(Grain.HOUR, "UTC", "2026-01-01T00", null), NOW);

      assertThat(ledger.run(pipeline, NOW)).hasSize(14 * 24);

      String read =
          ledger.query(
              """
              select seq_tup_read
                from pg_stat_user_tables, pg_stat_force_next_flush()
               where relname = 'attempt'
              """);
      assertThat(Long.parseLong(read)).as("attempts read by scans").isLessThan(14 * 24);
    }
  }

  // Invariant 9
  @Test
  void noStepOfAChainReadsTheWindowsThatWereCommittedBefore() {
    try (LedgerTestDatabase database = LedgerTestDatabase.create()) {
      Ledger ledger = new Ledger(database);
      var pipeline =
          ledger.ready(
              Pipelines.daily("chained")
                  .partitions(Grain.HOUR, "UTC", "2026-01-01T00", null)
                  .stateful(Period.ofDays(60)),
              NOW);

      for (int hour = 0; hour < 14 * 24; hour++) {
        ledger.commit(ledger.claim(pipeline, NOW, 1).get(0));
      }

      String read =
          ledger.query(
              """
              select seq_tup_read
                from pg_stat_user_tables, pg_stat_force_next_flush()
               where relname = 'partition_ledger'
              """);
      // A few scans of all there are, not one for each.
      assertThat(Long.parseLong(read))
          .as("rows of the ledger read by scans")
          .isLessThan(10 * 14 * 24);
    }
  }
}
