package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many workers on one pipeline at once. */
final class ConcurrentClaimsTest {
  private static final int THREADS = 8;
  private static LedgerTestDatabase database;
  private static Ledger ledger;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  // W3, c-G13; invariant 1; C16, C18, c-A8, c-A12, c-A16
  @Test
  void eightWorkersRunTwoThousandPartitionsOnceEach() throws Exception {
    String now = "2031-06-24T00:00:00Z"; // 2,000 days after 2026-01-01
    var pipeline = ledger.ready(Pipelines.daily("busy").parallel(100, 50), now);
    ExecutorService workers = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Integer>> done = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        done.add(workers.submit(() -> work(pipeline, now)));
      }
      int committed = 0;
      for (Future<Integer> worker : done) {
        committed += worker.get(120, TimeUnit.SECONDS);
      }
      assertThat(committed).isEqualTo(2000);
    } finally {
      workers.shutdownNow();
    }
    assertThat(
            ledger.query(
                """
                select count(*) || ' attempts of ' || count(distinct row_id) || ' rows, '
                       || count(*) filter (where outcome <> 'committed') || ' not committed'
                  from tidemark.attempt
                """))
        .isEqualTo("2000 attempts of 2000 rows, 0 not committed");
    assertThat(
            ledger.query(
                """
                select count(*) from tidemark.attempt a join tidemark.attempt b
                    on a.row_id = b.row_id and a.token < b.token and b.began_at < a.ended_at
                """))
        .isEqualTo("0");
  }

  private static int work(RegisteredPipeline pipeline, String now) {
    int committed = 0;
    int empty = 0;
    while (empty < 2) {
      List<Claim> claims = ledger.claim(pipeline, now, 7);
      claims.forEach(ledger::commit);
      committed += claims.size();
      // Others may hold all the slots: only an empty ledger ends the work.
      boolean nothingLeft =
          claims.isEmpty()
              && "0"
                  .equals(
                      ledger.query(
                          "select count(*) from tidemark.partition_ledger where committed_token is null"));
      empty = nothingLeft ? empty + 1 : 0;
    }
    return committed;
  }
}
