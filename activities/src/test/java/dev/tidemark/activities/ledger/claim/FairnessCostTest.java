package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.Slices;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A thousand accounts, 30,000 rows, and an account at its cap with 10,000 due: what a claim reads.
 */
final class FairnessCostTest {
  private static final String NOW = "2026-01-01T00:00:00Z";
  private static LedgerTestDatabase database;
  private static Ledger ledger;
  private static RegisteredPipeline pipeline;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
    pipeline =
        ledger.register(
            Pipelines.daily("accounts")
                .partitions(Grain.DAY, "UTC", "1960-01-01", null)
                .lookback(1, 7)
                .onDefinitionChange(OnDefinitionChange.RERUN)
                .slices("customer", Slices.of("customer", "a"))
                .perAccountParallel(100, 4));
    ledger.jdbc.transaction(
        connection ->
            FILL.on(connection)
                .set("pipeline", pipeline.id())
                .set("fingerprint", pipeline.fingerprint())
                .update());
    database.execute("vacuum analyze tidemark.partition_ledger");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static final Sql FILL =
      Sql.of(
          """
          insert into tidemark.partition_ledger
                 (pipeline_id, slice, partition, account, window_start, window_end,
                  committed_token, committed_at, processed_version, input_version, closed_lag, definition)
          select :pipeline, 'customer=' || account, to_char(d, 'YYYY-MM-DD'), account, d, d + interval '1 day',
                 case when made then 1 end, case when made then now() end, case when made then '' end,
                 case when made then '' end, case when made then 8 end, case when made then :fingerprint end
            from (
              select 'c' || lpad(n::text, 4, '0') as account, day, day > 1 as made
                from generate_series(1, 1000) n, generate_series(1, 20) day
              union all
              select 'big', day, false from generate_series(1, 10000) day) one
           cross join lateral (select '2026-01-01T00:00Z'::timestamptz - day * interval '1 day' as d) at
          """);

  // B10, c-K1; invariant 9
  @Test
  void aFullAccountIsOneStepHoweverMuchItHasDue() {
    assertThat(ledger.claim(pipeline, NOW, 4)).hasSize(4);
    long before = rowsRead();
    for (int i = 0; i < 5; i++) {
      assertThat(ledger.claim(pipeline, NOW, 10)).extracting(Claim::slice).doesNotHaveDuplicates();
    }
    // Statistics of other sessions arrive late, so the bound is far from both: 400 and 50,000.
    assertThat(rowsRead() - before).as("rows read to claim 50").isLessThan(8_000);
  }

  @Test
  void theWalkGoesFromAccountToAccountInAnIndex() {
    Window closed = pipeline.definition().extent().closedThrough(Instant.parse(NOW)).orElseThrow();
    String walk = DerivedCandidates.question(true, true).walkText();
    List<String> plan =
        ledger.jdbc.transaction(
            connection ->
                DueAt.of(pipeline, closed, null, null)
                    .set(Sql.of("explain " + walk).on(connection))
                    .set("full_accounts", List.of("big"))
                    .set("beyond", "c0050")
                    .set("end", "d")
                    .set("most", 10)
                    .list(row -> row.result().getString(1)));
    assertThat(String.join("\n", plan))
        .contains("partition_missing_account", "partition_late_account")
        .doesNotContain("Seq Scan on partition_ledger");
  }

  /** Rows of the ledger that sessions have fetched so far, through indexes. */
  private static long rowsRead() {
    ledger.query("select pg_stat_force_next_flush()");
    return Long.parseLong(
        ledger.query(
            "select idx_tup_fetch from pg_stat_user_tables where relname = 'partition_ledger'"));
  }
}
