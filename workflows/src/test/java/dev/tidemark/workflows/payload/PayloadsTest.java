package dev.tidemark.workflows.payload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import dev.tidemark.workflows.planning.PartitionFacts.Generations;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PayloadsTest {
  private final ObjectMapper mapper = Payloads.mapper();

  @Test
  void aDefinitionWithEveryKindOfPartReadsBackAsItWas() throws Exception {
    PipelineDefinition definition = definition();

    String json = mapper.writeValueAsString(definition);

    assertThat(mapper.readValue(json, PipelineDefinition.class)).isEqualTo(definition);
  }

  @Test
  void timesAreIsoText() throws Exception {
    assertThat(mapper.writeValueAsString(Retry.DEFAULT))
        .isEqualTo(
            "{\"attempts\":3,\"backoff\":\"PT10S\",\"maxBackoff\":\"PT5M\","
                + "\"thenAfter\":\"PT15M\",\"giveUpAfter\":10}");
  }

  @Test
  void helpersOfRecordsAreNoProperties() throws Exception {
    assertThat(mapper.writeValueAsString(new Generations(2, 1)))
        .isEqualTo("{\"requested\":2,\"done\":1}");
  }

  @Test
  void unknownPropertiesAreIgnoredAndNullsKept() throws Exception {
    assertThat(mapper.readValue("{\"kind\":\"newest\",\"windows\":3,\"of\":1}", CatchUp.class))
        .isEqualTo(new CatchUp.Newest(3));
    assertThat(mapper.writeValueAsString(Limits.DEFAULT)).contains("\"perAccount\":null");
  }

  // Registered definitions live as long as their pipelines.
  @Test
  void whatWasRegisteredBeforeAKeyExistedReadsAsWithoutIt() throws Exception {
    assertThat(
            mapper.readValue(
                """
                {"partitions":1000,"duration":"PT10M","parallel":20,"perAccount":null,
                 "perAccountParallel":null,"backfillSharePercent":50}
                """,
                Limits.class))
        .isEqualTo(Limits.DEFAULT);
    assertThat(
            mapper.readValue(
                "{\"kind\":\"product\",\"values\":{\"unit\":[\"a\"]},\"since\":null}",
                SliceSet.class))
        .isEqualTo(new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of("a"))), null, null));
  }

  @Test
  void aSliceIsAnObjectOfItsDimensions() throws Exception {
    Slice slice = Slice.of(Map.of("unit", "istanbul", "category", "rain"));

    String json = mapper.writeValueAsString(slice);

    assertThat(json).isEqualTo("{\"category\":\"rain\",\"unit\":\"istanbul\"}");
    assertThat(mapper.readValue(json, Slice.class)).isEqualTo(slice);
  }

  private static PipelineDefinition definition() {
    return new PipelineDefinition(
        "daily-weather",
        new Extent(
            new Partitioning(Grain.DAY, ZoneId.of("America/Los_Angeles"), "2012-01-01", null),
            List.of(
                new SliceSet.Product(
                    new TreeMap<>(Map.of("unit", List.of("seattle"))), "2014-06-01"),
                new SliceSet.Query("select unit from units", "shop")),
            "unit",
            new Closure.AfterDelay(Duration.ofHours(1)),
            Period.ofDays(400)),
        List.of(
            new InputSpec.Files("input/{partition}.csv", false),
            new InputSpec.Sql("select 1", "shop", true),
            new InputSpec.Push(),
            new InputSpec.Custom("mine", false)),
        new Integration(
            List.of(1, 7),
            Period.ofDays(60),
            Integration.Strategy.CURRENT_FIRST,
            false,
            false,
            Integration.OnDefinitionChange.ASK),
        new Pace(
            new Wake.Every(Duration.ofMinutes(15)),
            Pace.Order.NEWEST_FIRST,
            new CatchUp.All(),
            Limits.DEFAULT,
            Retry.DEFAULT,
            Duration.ofHours(2)),
        new TaskSpec.Command(List.of("python3", "summarise.py"), Duration.ofMinutes(10)),
        new OutputSpec.File("./out", "{start:yyyy}.json", OutputSpec.Commit.MARKER));
  }
}
