package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
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

  // A23, c-C5, c-C6
  @Test
  void newestClosedDayGoesFirst() {
    var pipeline = ledger.ready(Pipelines.daily("newest"), "2026-01-04T00:00:00Z");

    assertThat(ledger.run(pipeline, "2026-01-04T00:00:00Z"))
        .containsExactly("2026-01-03", "2026-01-02", "2026-01-01");
    assertThat(ledger.claim(pipeline, "2026-01-04T00:00:00Z", 10)).isEmpty();
  }

  // B11, c-C5, c-C11
  @Test
  void oldestFirstIsAPolicy() {
    var pipeline =
        ledger.ready(Pipelines.daily("oldest").order(Order.OLDEST_FIRST), "2026-01-04T00:00:00Z");

    assertThat(ledger.run(pipeline, "2026-01-04T00:00:00Z"))
        .containsExactly("2026-01-01", "2026-01-02", "2026-01-03");
  }

  // c-C13, c-C9: many at once without being asked, and a full pipeline holds up no other
  @Test
  void twentyRunAtOnceByDefaultAndOtherPipelinesBesideThem() {
    String now = "2026-02-01T00:00:00Z";
    var wide = ledger.ready(Pipelines.daily("wide"), now);
    var other = ledger.ready(Pipelines.daily("beside"), now);

    assertThat(ledger.claim(wide, now, 31)).hasSize(20);
    assertThat(ledger.claim(wide, now, 31)).isEmpty();
    assertThat(ledger.claim(other, now, 1)).hasSize(1);
  }
}
