package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.pipeline.Pace.Order;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which partitions a claim takes, and in which order. */
final class ClaimOrderTest {
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

  // A23, c-C5
  @Test
  void newestClosedDayGoesFirst() {
    var pipeline = ledger.ready(Pipelines.daily("newest"), "2026-01-04T00:00:00Z");

    assertThat(ledger.run(pipeline, "2026-01-04T00:00:00Z"))
        .containsExactly("2026-01-03", "2026-01-02", "2026-01-01");
    assertThat(ledger.claim(pipeline, "2026-01-04T00:00:00Z", 10)).isEmpty();
  }

  // B11, c-C5
  @Test
  void oldestFirstIsAPolicy() {
    var pipeline =
        ledger.ready(Pipelines.daily("oldest").order(Order.OLDEST_FIRST), "2026-01-04T00:00:00Z");

    assertThat(ledger.run(pipeline, "2026-01-04T00:00:00Z"))
        .containsExactly("2026-01-01", "2026-01-02", "2026-01-03");
  }
}
