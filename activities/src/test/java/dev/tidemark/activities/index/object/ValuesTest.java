package dev.tidemark.activities.index.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.DecimalNode;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Property;
import java.math.BigDecimal;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ValuesTest {
  private static final Property BALANCE = property("decimal(10,2)");
  private static final Property SEEN = property("timestamp");

  private static Property property(String type) {
    return new Property("p", ColumnType.parse(type), false);
  }

  // a short text or number can stand for a billion digits
  @Test
  void numbersOfTooManyDigitsAreRefusedBeforeTheyAreWrittenOut() {
    for (String number : new String[] {"1e999999999", "1e-999999999", "123456789", "0.001"}) {
      assertThatThrownBy(() -> Values.fromText(BALANCE, number))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no such value");
    }
    assertThatThrownBy(
            () -> Values.fromJson(BALANCE, DecimalNode.valueOf(new BigDecimal("1e999999999"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Values.fromJava(property("bigint"), new BigDecimal("1e999999999")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Values.fromText(BALANCE, "1.2e3")).isEqualTo(new BigDecimal("1200.00"));
    assertThat(Values.fromText(property("decimal(2,2)"), "0.000"))
        .isEqualTo(new BigDecimal("0.00"));
  }

  @Test
  void timesOfYearsThatAreNotKeptAreRefused() {
    for (String time : new String[] {"+10000-01-01T00:00:00Z", "0000-12-31T23:59:59Z"}) {
      assertThatThrownBy(() -> Values.fromText(SEEN, time))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is no such value");
    }
    assertThat(Values.fromText(SEEN, "9999-12-31T23:59:59.999999Z"))
        .isEqualTo(Instant.parse("9999-12-31T23:59:59.999999Z"));
  }
}
