package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Dataset.Meaning;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DatasetPageTest {
  static Stream<Arguments> meanings() {
    return Stream.of(
        Arguments.of(Meaning.EVENT_TIME, "the time at which it happened"),
        Arguments.of(Meaning.DAILY_STATISTICS, "its own date"),
        Arguments.of(
            Meaning.ACTIVITY_STREAM,
            "row_number() over (partition by \"id\" order by dt desc, hour desc)"),
        Arguments.of(null, "does not say"));
  }

  // B31, B32, B33, B34
  @ParameterizedTest
  @MethodSource("meanings")
  void saysWhatAPartitionIsAndHowToGetTheStateOfNow(@Nullable Meaning meaning, String words) {
    String page =
        DatasetPage.of(
            "events", new Dataset(Format.CSV, Nasty.COLUMNS, meaning), List.of("dt", "hour"));

    assertThat(page).startsWith("# events\n").contains("| `large` | decimal(38,10) |", words);
  }
}
