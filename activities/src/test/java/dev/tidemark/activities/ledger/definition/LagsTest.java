package dev.tidemark.activities.ledger.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LagsTest {
  // C1: over changes of the clock, and a day that does not exist.
  @ParameterizedTest
  @CsvSource({
    "QUARTER_HOUR, Australia/Lord_Howe, 2024-04-07",
    "HOUR, Europe/Istanbul, 2016-09-08",
    "DAY, Pacific/Apia, 2012-01-03",
    "MONTH, UTC, 2024-03-01"
  })
  void aLagIsTheNumberOfStepsBack(Grain grain, String zone, String date) {
    Partitioning partitions = new Partitioning(grain, ZoneId.of(zone), "1600-01-01", null);
    Window closed = partitions.windowBeginningAt("closed", date);
    Lags lags = new Lags(partitions, closed);
    Window window = closed;
    for (int steps = 0; steps <= Integration.MAX_LOOKBACK + 2; steps++) {
      assertThat(lags.of(window.start()))
          .as(window.label())
          .isEqualTo(Math.min(steps, Integration.MAX_LOOKBACK + 1));
      window = partitions.previous(window);
    }
  }
}
