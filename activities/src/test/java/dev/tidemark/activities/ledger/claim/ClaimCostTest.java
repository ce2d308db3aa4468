package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Pace.Order;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A million rows, a hundred of them due: what a claim reads (invariant 9; c-C10, c-G8, c-G9). */
final class ClaimCostTest {
  private static final int ROWS = 1_000_000;
  private static final int BATCH = 100_000;
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
            Pipelines.daily("million")
                .partitions(
                    dev.tidemark.workflows.partition.Grain.QUARTER_HOUR,
                    "UTC",
                    "1996-01-01T00:00",
                    null)
                .lookback(1, 2, 7)
                .onDefinitionChange(OnDefinitionChange.RERUN)
                .parallel(200, 50));
    fill();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /**
   * The newest hundred are missing; the rest was committed long ago, with the present definition.
   */
  private static void fill() {
    for (int from = 1; from < ROWS; from += BATCH) {
      fill(from, from + BATCH - 1);
    }
    database.execute("vacuum analyze tidemark.partition_ledger");
  }

  private static void fill(int from, int to) {
    ledger.jdbc.transaction(
        connection -> {
          // Without the checks of foreign keys: they are most of the time.
          run(connection, "set local session_replication_role = replica");
          return FILL.on(connection)
              .set("pipeline", pipeline.id())
              .set("from", from)
              .set("to", to)
              .set("now", Instant.parse(NOW))
              .set("fingerprint", pipeline.fingerprint())
              .update();
        });
  }

  private static final Sql FILL =
      Sql.of(
          """
          insert into tidemark.partition_ledger
                 (pipeline_id, slice, partition, window_start, window_end,
                  committed_token, processed_version, input_version, closed_lag, definition)
          select :pipeline, '', to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI'), t,
                 t + interval '15 minutes',
                 case when n > 100 then n end, case when n > 100 then '' end,
                 case when n > 100 then '' end, case when n > 100 then 8 end,
                 case when n > 100 then :fingerprint end
            from (select n, :now::timestamptz - n * interval '15 minutes' as t
                    from generate_series(:from, :to) n) w
          """);

  @Test
  void aClaimReadsOnlyWhatMayBeDue() {
    List<Claim> claims = ledger.claim(pipeline, NOW, 100);
    assertThat(claims).hasSize(100);
    // Statistics of other sessions arrive late, so the bound is far from both: 300 and 1,000,000.
    assertThat(rowsRead()).as("rows read to claim 100").isLessThan(100_000);
    ledger.claims.releaseAll();
  }

  @Test
  void noPlanOfAClaimScansTheTable() {
    List<String> plans = new ArrayList<>();
    Window closed = pipeline.definition().extent().closedThrough(Instant.parse(NOW)).orElseThrow();
    ledger.jdbc.transaction(
        connection -> {
          for (Order order : Order.values()) {
            plans.add(
                String.join(
                    "\n",
                    DueAt.of(pipeline, closed, null, null)
                        .set(
                            Sql.of(
                                    "explain "
                                        + DerivedCandidates.question(true, true)
                                            .text(order == Order.NEWEST_FIRST))
                                .on(connection))
                        .set("full_accounts", List.of())
                        .set("most", 100)
                        .list(row -> row.result().getString(1))));
          }
          return plans;
        });
    assertThat(plans)
        .isNotEmpty()
        .allSatisfy(
            plan ->
                assertThat(plan)
                    .doesNotContain("Seq Scan on partition_ledger")
                    .contains("partition_missing", "partition_late"));
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Rows of the ledger that sessions have fetched so far, through indexes. */
  private static long rowsRead() {
    return ledger.jdbc.roundTrip(
        connection -> {
          run(connection, "select pg_stat_force_next_flush()");
          try (Statement statement = connection.createStatement();
              ResultSet result =
                  statement.executeQuery(
                      """
                      select idx_tup_fetch
                        from pg_stat_user_tables where relname = 'partition_ledger'
                      """)) {
            result.next();
            return result.getLong(1);
          }
        });
  }
}
