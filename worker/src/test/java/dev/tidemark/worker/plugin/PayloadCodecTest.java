package dev.tidemark.worker.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.process.PipelineSchedules;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.SweepReport;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.temporal.api.common.v1.Payload;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.worker.WorkerFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application that encrypts what it tells Temporal: Tidemark's words are encrypted too. */
@Timeout(60)
class PayloadCodecTest {
  private static final String DAY = "2026-01-02";

  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final Queue<String> processed = new ConcurrentLinkedQueue<>();
  private final TidemarkPlugin tidemark =
      TidemarkPlugin.newBuilder()
          .setLedger(TestServices.ledger())
          .setTaskQueue(name)
          .addPipeline(
              Pipeline.named(name)
                  .daily(ZoneOffset.UTC)
                  .from("2026-01-01")
                  .until("2026-01-04")
                  .sweepEvery(Duration.ofDays(7))
                  .task(context -> processed.add(context.window().label()))
                  .build())
          .build();
  private final WorkflowClient client =
      WorkflowClient.newInstance(
          TestServices.client().getWorkflowServiceStubs(),
          WorkflowClientOptions.newBuilder()
              .setDataConverter(
                  new CodecDataConverter(
                      DefaultDataConverter.newDefaultInstance(), List.of(new Scrambled()), true))
              .setPlugins(tidemark)
              .build());
  private final WorkerFactory factory = WorkerFactory.newInstance(client);
  private final TidemarkClient requests = new TidemarkClient(client, name);

  @BeforeEach
  void startTheApplication() {
    tidemark.migrate();
    tidemark.apply(client);
    factory.newWorker(name);
    factory.start();
  }

  @AfterEach
  void stopIt() {
    new PipelineSchedules(client, name).remove(name);
    factory.shutdown();
    factory.awaitTermination(30, TimeUnit.SECONDS);
  }

  @Test
  void whatAWorkflowSaysOfPartitionsGoesThroughTheCodec() throws Exception {
    SweepReport report =
        requests.awaitSweep(
            requests.startSweep(name, Instant.parse("2026-01-04T00:00:00Z"), "one"),
            Duration.ofSeconds(30));
    BackfillView backfill = requests.requestBackfill(name, again());

    assertThat(report.completed()).isEqualTo(3);
    assertThat(backfill.partitions()).isEqualTo(1);
    assertThat(processed).contains(DAY);
    String history =
        client.fetchHistory(WorkflowIds.sweep(name) + "/one").getHistory().toString()
            + client.fetchHistory(WorkflowIds.manual(name)).getHistory();
    assertThat(history)
        .contains("scrambled")
        .doesNotContain(DAY)
        .doesNotContain("because the rates were wrong");
  }

  private static BackfillRequest again() {
    return new BackfillRequest(
        "again",
        DAY,
        DAY,
        null,
        BackfillRequest.Mode.ALL,
        null,
        null,
        "because the rates were wrong",
        null,
        null,
        null);
  }

  /** Each byte turned over: enough that nobody reads it. */
  private static final class Scrambled implements PayloadCodec {
    private static final ByteString NAME = ByteString.copyFromUtf8("binary/scrambled");

    @Override
    public List<Payload> encode(List<Payload> payloads) {
      return each(
          payloads,
          payload ->
              Payload.newBuilder()
                  .putMetadata("encoding", NAME)
                  .setData(turned(payload.toByteString()))
                  .build());
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      return each(
          payloads,
          payload -> {
            try {
              return NAME.equals(payload.getMetadataMap().get("encoding"))
                  ? Payload.parseFrom(turned(payload.getData()))
                  : payload;
            } catch (InvalidProtocolBufferException e) {
              throw new IllegalStateException(
                  payload.getData().toString(StandardCharsets.UTF_8), e);
            }
          });
    }

    private static List<Payload> each(List<Payload> payloads, UnaryOperator<Payload> change) {
      return payloads.stream().map(change).toList();
    }

    private static ByteString turned(ByteString bytes) {
      byte[] turned = bytes.toByteArray();
      for (int i = 0; i < turned.length; i++) {
        turned[i] ^= (byte) 0xff;
      }
      return ByteString.copyFrom(turned);
    }
  }
}
