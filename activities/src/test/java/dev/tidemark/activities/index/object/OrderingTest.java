package dev.tidemark.activities.index.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the orderings of changes are taken for. */
class OrderingTest {
  @Test
  void anOrderingIsANumberElseATimeElseAText() {
    assertThat(Ordering.parse("-7.50")).isEqualTo(new BigDecimal("-7.50"));
    assertThat(Ordering.parse("2026-09-05T02:00:00+02:00"))
        .isEqualTo(Instant.parse("2026-09-05T00:00:00Z"));
    assertThat(Ordering.parse("2026-W36")).isEqualTo("2026-W36");
    assertThat(Ordering.parse("")).isEqualTo("");
  }

  // What is kept of an older version must compare with what is read now
  @Test
  void aNumberWithAPlusStaysTheTextThatItHasAlwaysBeen() {
    assertThat(Ordering.parse("+7")).isEqualTo("+7");
  }

  // A year too large for the calendar's own arithmetic too
  @Test
  void aTimeOutsideTheYears1To9999IsRefused() {
    for (String time :
        new String[] {
          "0000-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "+999999999-12-31T23:59:59-18:00"
        }) {
      assertThatThrownBy(() -> Ordering.parse(time))
          .as(time)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(time)
          .hasMessageContaining("years 1 to 9999");
    }
  }
}
