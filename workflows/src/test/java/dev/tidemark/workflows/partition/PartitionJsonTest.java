package dev.tidemark.workflows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The JSON forms, which are kept in the ledger and cross Temporal: changing one breaks both. */
class PartitionJsonTest {
  private final ObjectMapper mapper = JacksonJsonPayloadConverter.newDefaultObjectMapper();

  @Test
  void aPartitioningIsItsFourSettings() throws JsonProcessingException {
    String json =
        "{\"every\":\"15m\",\"zone\":\"America/Los_Angeles\",\"start\":\"2012-01-01\",\"end\":\"2016-01-01\"}";
    Partitioning partitions =
        new Partitioning(
            Grain.QUARTER_HOUR, ZoneId.of("America/Los_Angeles"), "2012-01-01", "2016-01-01");

    assertThat(mapper.readTree(mapper.writeValueAsString(partitions)))
        .isEqualTo(mapper.readTree(json));
    assertThat(mapper.readValue(json, Partitioning.class)).isEqualTo(partitions);
  }

  @Test
  void aPartitioningMayHaveNoEndAndFieldsOfALaterVersion() throws JsonProcessingException {
    String json = "{\"every\":\"day\",\"zone\":\"UTC\",\"start\":\"2012-01-01\",\"offset\":3}";

    assertThat(mapper.readValue(json, Partitioning.class))
        .isEqualTo(new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2012-01-01", null));
  }

  @Test
  void aSliceIsAnObject() throws JsonProcessingException {
    Slice slice = Slice.of(Map.of("unit", "a/b", "category", ""));

    assertThat(mapper.writeValueAsString(slice)).isEqualTo("{\"category\":\"\",\"unit\":\"a/b\"}");
    assertThat(mapper.readValue("{\"category\":\"\",\"unit\":\"a/b\"}", Slice.class))
        .isEqualTo(slice);
    assertThat(mapper.readValue("{}", Slice.class)).isEqualTo(Slice.EMPTY);
  }

  @Test
  void aWindowSurvives() throws JsonProcessingException {
    Window window = new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2012-01-01", null).first();

    assertThat(mapper.readValue(mapper.writeValueAsString(window), Window.class)).isEqualTo(window);
  }

  @Test
  void anUnknownGrainIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> mapper.readValue("\"fortnight\"", Grain.class))
        .hasMessageContaining("15m, hour, day, week, month, quarter, year");
  }
}
