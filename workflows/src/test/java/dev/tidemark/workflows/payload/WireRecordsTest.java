package dev.tidemark.workflows.payload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.foreign.ForeignFailure;
import dev.tidemark.workflows.foreign.ForeignInput;
import dev.tidemark.workflows.foreign.ForeignResult;
import dev.tidemark.workflows.foreign.ForeignSettled;
import dev.tidemark.workflows.foreign.ForeignStart;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Hydration;
import dev.tidemark.workflows.index.ObjectsInput;
import dev.tidemark.workflows.index.ObjectsReport;
import dev.tidemark.workflows.index.SwitchOutcome;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.ClaimResult;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.SweepPlan;
import dev.tidemark.workflows.sweep.LaneInput;
import dev.tidemark.workflows.sweep.LaneProgress;
import dev.tidemark.workflows.sweep.Progress;
import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The JSON of every record that crosses Temporal, one file each under {@code payloads}. A file that
 * no longer reads, or reads differently, is a breaking change: running workflows hold such JSON.
 */
class WireRecordsTest {
  private final ObjectMapper mapper = Payloads.mapper();
  private final DataConverter ours = Payloads.dataConverter();
  private final DataConverter standard = DefaultDataConverter.newDefaultInstance();

  static List<Class<? extends Record>> records() {
    return List.of(
        SweepInput.class,
        SweepReport.class,
        Progress.class,
        LaneInput.class,
        LaneProgress.class,
        PlanRequest.class,
        SweepPlan.class,
        ClaimRequest.class,
        ClaimResult.class,
        Claim.class,
        Outlook.class,
        PartitionOutcome.class,
        InputChange.class,
        ForeignInput.class,
        ForeignResult.class,
        ForeignSettled.class,
        ForeignStart.class,
        ForeignFailure.class,
        BackfillRequest.class,
        BackfillView.class,
        BuildRequest.class,
        Build.class,
        BuildDecision.class,
        Hydration.class,
        SwitchOutcome.class,
        ObjectsInput.class,
        ObjectsReport.class);
  }

  @ParameterizedTest
  @MethodSource("records")
  void itsJsonIsAsRecorded(Class<? extends Record> type) throws IOException {
    ObjectNode json = recorded(type);

    Record read = mapper.treeToValue(json, type);

    assertThat(mapper.readTree(mapper.writeValueAsString(read))).isEqualTo(json);
    assertThat(names(type).toList()).containsExactlyElementsOf(json::fieldNames);
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatNewerCodeAddsIsIgnored(Class<? extends Record> type) throws IOException {
    Record read = mapper.treeToValue(recorded(type), type);
    ObjectNode newer = recorded(type).put("added_later", 1);

    assertThat(mapper.treeToValue(newer, type)).isEqualTo(read);
    assertThat(standard.fromPayload(payload(newer), type, type)).isEqualTo(read);
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatIsOptionalMayBeMissing(Class<? extends Record> type) throws Exception {
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        ObjectNode json = recorded(type);
        json.remove(name(component));

        Record read = mapper.treeToValue(json, type);

        assertThat(component.getAccessor().invoke(read)).as(component.getName()).isNull();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("records")
  void temporalsDefaultConverterExchangesIt(Class<? extends Record> type) throws IOException {
    Record record = mapper.treeToValue(recorded(type), type);

    assertThat(standard.fromPayload(ours.toPayload(record).orElseThrow(), type, type))
        .isEqualTo(record);
    assertThat(ours.fromPayload(standard.toPayload(record).orElseThrow(), type, type))
        .isEqualTo(record);
  }

  // Histories and workers of before an upgrade: fields were added since.
  @ParameterizedTest
  @ValueSource(
      classes = {
        Claim.class,
        ClaimResult.class,
        BackfillRequest.class,
        PlanRequest.class,
        LaneProgress.class,
        Progress.class
      })
  void whatOlderCodeWroteIsRead(Class<? extends Record> type) throws IOException {
    ObjectNode older = resource("/payloads/older/" + type.getSimpleName() + ".json");

    Record read = mapper.treeToValue(older, type);

    JsonNode written = mapper.readTree(mapper.writeValueAsString(read));
    older
        .fieldNames()
        .forEachRemaining(
            name -> assertThat(written.get(name)).as(name).isEqualTo(older.get(name)));
    assertThat(standard.fromPayload(payload(older), type, type)).isEqualTo(read);
  }

  private Payload payload(ObjectNode json) {
    return ours.toPayload(json).orElseThrow();
  }

  private static Stream<String> names(Class<? extends Record> type) {
    return Stream.of(type.getRecordComponents()).map(WireRecordsTest::name);
  }

  private static String name(RecordComponent component) {
    return component.getAccessor().getAnnotation(JsonProperty.class).value();
  }

  private ObjectNode recorded(Class<? extends Record> type) throws IOException {
    return resource("/payloads/" + type.getSimpleName() + ".json");
  }

  private ObjectNode resource(String resource) throws IOException {
    try (InputStream json =
        Objects.requireNonNull(getClass().getResourceAsStream(resource), resource)) {
      return (ObjectNode) mapper.readTree(json);
    }
  }
}
