package dev.tidemark.worker.definition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "* * * * *",
        "*/15 * * * *",
        "0 0-6,22 1,15 JAN-mar mon-FRI",
        "5/10 0 ? * 0",
        " 0  0 * * * ",
        "@hourly",
        "CRON_TZ=Europe/Istanbul 0 1 * * *",
        "TZ=UTC @daily"
      })
  void whatTemporalAcceptsIsAccepted(String expression) {
    assertThat(CronExpression.problem(expression)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', five fields",
    "* * * *, has 4",
    "0 * * * * *, has 6",
    "60 * * * *, minute",
    "0 24 * * *, hour",
    "0 0 0 * *, day of month",
    "0 0 1 13 *, month",
    "0 0 1 * 7, day of week",
    "5-1 * * * *, 5-1",
    "*/0 * * * *, */0",
    "'1,,2 * * * *', minute",
    "0 0 L * *, day of month",
    "@every 1h, nickname",
    "CRON_TZ=Mars/Olympus 0 0 * * *, Mars/Olympus"
  })
  void whatItRefusesIsRefusedWithTheField(String expression, String word) {
    assertThat(CronExpression.problem(expression)).get().asString().contains(word);
  }
}
