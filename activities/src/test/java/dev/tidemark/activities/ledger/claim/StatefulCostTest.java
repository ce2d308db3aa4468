package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Grain;
import java.time.Period;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Ten years of hours that build on each other: what a claim reads (invariant 9). */
class StatefulCostTest {
  private static final String NOW = "2026-01-01T00:00:00Z";
  private static final int HOURS = 87_672;

  private static LedgerTestDatabase database;
  private static Ledger ledger;
  private static RegisteredPipeline pipeline;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
    pipeline =
        ledger.register(
            Pipelines.daily("hours")
                .partitions(Grain.HOUR, "UTC", "2016-01-01T00", null)
                .stateful(Period.ofDays(400)));
    database.execute(
        """
        insert into tidemark.partition_ledger
               (pipeline_id, slice, partition, window_start, window_end, committed_token,
                processed_version, input_version, predecessor, predecessor_now, definition)
        select %d, '', to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24'), t, t + interval '1 hour',
               n, '', '', n - 1, n - 1, '%s'
          from (select n, timestamptz '2016-01-01T00:00:00Z' + (n - 1) * interval '1 hour' as t
                  from generate_series(1, %d) n) w;
        select setval('tidemark.token', 1000000);
        """
            .formatted(pipeline.id(), pipeline.fingerprint(), HOURS));
    database.execute("vacuum analyze tidemark.partition_ledger");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  // Invariant 9, C20
  @Test
  void aClaimReadsOnlyWhatMayBeDue() {
    long before = rowsRead();
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
    assertThat(rowsRead() - before).as("rows read where nothing is due").isLessThan(100);

    ledger.observe(pipeline, "2025-06-01T00", "v2");
    before = rowsRead();
    for (int hour = 0; hour < 5; hour++) {
      List<Claim> next = ledger.claim(pipeline, NOW, 10);
      assertThat(Ledger.labels(next)).containsExactly("2025-06-01T0" + hour);
      ledger.attempts.commit(ledger.begin(next.get(0)).token(), Ledger.NOTHING, null);
    }
    assertThat(rowsRead() - before).as("rows read for five links").isLessThan(2_000);
  }

  private static long rowsRead() {
    return Long.parseLong(
        ledger.query(
            """
            select sum(idx_tup_fetch) + sum(seq_tup_read)
              from pg_stat_user_tables, pg_stat_force_next_flush()
             where relname = 'partition_ledger'
            """));
  }
}
