package dev.tidemark.activities.placeholder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final Partitioning HOURS =
      new Partitioning(Grain.HOUR, ZoneId.of("America/New_York"), "2026-01-01T00", null);

  private static String fill(String text, String label) {
    return Template.parse(text)
        .fill(
            new PartitionValues(
                HOURS.parse(label), Slice.of(Map.of("unit_1", "a b")), HOURS.zone()));
  }

  @Test
  void fillsWhatAPartitionHas() {
    assertThat(fill("{partition}|{start}|{end}|{slice.unit_1}", "2026-09-05T13"))
        .isEqualTo("2026-09-05T13|2026-09-05T17:00:00Z|2026-09-05T18:00:00Z|a b");
  }

  // The hour that occurs twice: the pattern is wall time, the label says which.
  @Test
  void writesPatternsInThePipelinesZone() {
    assertThat(fill("{start:yyyy/MM/dd/HH}", "2026-11-01T01-0400")).isEqualTo("2026/11/01/01");
    assertThat(fill("{start:HHX}", "2026-11-01T01-0500")).isEqualTo("01-05");
  }

  @Test
  void leavesOtherBracesAlone() {
    String json = "{\"a\": {\"b\": 1}} {} { partition } ${HOME} {A}";

    assertThat(fill(json, "2026-09-05T13")).isEqualTo(json);
  }

  @Test
  void refusesANameWithoutAValue() {
    assertThatThrownBy(() -> fill("x/{slice.unit}.csv", "2026-09-05T13"))
        .hasMessage(
            "'x/{slice.unit}.csv' has the placeholder {slice.unit}, which has no value here");
    assertThatThrownBy(() -> fill("{day}", "2026-09-05T13")).hasMessageContaining("{day}");
  }
}
