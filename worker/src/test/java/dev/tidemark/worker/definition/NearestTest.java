package dev.tidemark.worker.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KNOWN =
      List.of("lookback", "late-data", "limits", "closes-at", "closes-after", "name");

  @ParameterizedTest
  @CsvSource({
    "lookbak, lookback",
    "loookback, lookback",
    "lookbcak, lookback",
    "late_data, late-data",
    "Limits, limits",
    "close-at, closes-at",
    "nmae, name"
  })
  void aSlipOfThePenNamesWhatWasMeant(String given, String meant) {
    assertThat(Nearest.of(given, KNOWN)).contains(meant);
    assertThat(Nearest.hint(given, KNOWN)).isEqualTo("; did you mean '" + meant + "'?");
  }

  @Test
  void anotherWordNamesNothing() {
    assertThat(Nearest.of("schedule", KNOWN)).isEmpty();
    assertThat(Nearest.hint("x", KNOWN)).isEmpty();
    assertThat(Nearest.of("name", List.of())).isEmpty();
  }
}
