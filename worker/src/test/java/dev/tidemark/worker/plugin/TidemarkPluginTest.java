package dev.tidemark.worker.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.testing.S3Server;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.worker.process.PipelineSchedules;
import dev.tidemark.worker.process.ScheduleView;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.SweepReport;
import dev.tidemark.workflows.sweep.SweepWorkflowImpl;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tidemark in an application that has a workflow, a task queue and a client of its own. */
@Timeout(120)
class TidemarkPluginTest {
  private static final PageSettings ANY_PORT =
      new PageSettings("127.0.0.1", 0, AccessSettings.NONE, null);
  private static final Bucket LAKE = S3Server.start().bucket("plugin");

  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final Queue<String> processed = new ConcurrentLinkedQueue<>();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final TidemarkPlugin tidemark =
      TidemarkPlugin.newBuilder()
          .setLedger(TestServices.ledger())
          .setMeterRegistry(meters)
          .setTaskQueue(name)
          .addBucket("lake", LAKE)
          .addPipeline(
              Pipeline.named(name)
                  .daily(ZoneId.of("Europe/Istanbul"))
                  .from("2026-01-01")
                  .until("2026-01-06")
                  .closesAfter(Duration.ofHours(1))
                  .sweepEvery(Duration.ofDays(7))
                  .task(context -> processed.add(context.window().label()))
                  .output(Output.hive("connection:lake/exports"))
                  .build())
          .build();
  // Temporal's default data converter, as most applications have it.
  private final WorkflowClient client =
      WorkflowClient.newInstance(
          TestServices.client().getWorkflowServiceStubs(),
          WorkflowClientOptions.newBuilder().setPlugins(tidemark).build());
  private final WorkerFactory factory = WorkerFactory.newInstance(client);
  private Worker ours;
  private Worker theirs;

  @BeforeEach
  void startTheApplication() {
    tidemark.migrate();
    ours = factory.newWorker(name);
    theirs = factory.newWorker(name + "-application");
    theirs.registerWorkflowImplementationTypes(GreetingImpl.class);
    factory.start();
  }

  @AfterEach
  void stopIt() {
    new PipelineSchedules(client, name).remove(name);
    factory.shutdown();
    factory.awaitTermination(30, TimeUnit.SECONDS);
    assertThat(factory.isTerminated()).isTrue();
  }

  @Test
  void leavesWorkersOfOtherTaskQueuesAlone() {
    Greeting greeting =
        client.newWorkflowStub(
            Greeting.class,
            WorkflowOptions.newBuilder().setTaskQueue(name + "-application").build());
    assertThat(greeting.greet("you")).isEqualTo("Hello you");

    WorkerFactory another = WorkerFactory.newInstance(client);
    Worker onOurs = another.newWorker(name);
    Worker onTheirs = another.newWorker(name + "-application");
    assertThatThrownBy(() -> onOurs.registerWorkflowImplementationTypes(SweepWorkflowImpl.class))
        .hasMessageContaining("already registered");
    assertThatCode(() -> onTheirs.registerWorkflowImplementationTypes(SweepWorkflowImpl.class))
        .doesNotThrowAnyException();
  }

  // contracts, section 6
  @Test
  void registersTheDefinitionsAndTheirSchedules() {
    tidemark.apply(client);
    tidemark.apply(client);

    assertThat(new Definitions(TestServices.ledger()).get(name).revision()).isEqualTo(1);
    ScheduleView schedule = new PipelineSchedules(client, name).find(name).orElseThrow();
    assertThat(schedule.kind()).isEqualTo(ScheduleView.Kind.SCHEDULE);
    assertThat(schedule.spec()).isEqualTo("PT168H");
  }

  @Test
  void runsSweepsAndBackfillsInTheApplicationsWorker() throws Exception {
    tidemark.apply(client);
    TidemarkClient requests = new TidemarkClient(client, name);

    SweepReport report =
        requests.awaitSweep(
            requests.startSweep(name, Instant.parse("2026-01-04T00:00:00Z"), "one"),
            Duration.ofSeconds(60));
    assertThat(report.completed()).isEqualTo(3);
    assertThat(
            meters.counter("tidemark.attempts", "pipeline", name, "outcome", "committed").count())
        .isEqualTo(3);
    assertThat(meters.timer("tidemark.sweep", "pipeline", name, "trigger", "manual").count())
        .isOne();
    assertThat(processed).containsExactlyInAnyOrder("2026-01-01", "2026-01-02", "2026-01-03");
    assertThat(markers("exports/" + name + "/"))
        .containsExactly("dt=2026-01-01", "dt=2026-01-02", "dt=2026-01-03");

    processed.clear();
    requests.requestBackfill(
        name,
        new BackfillRequest(
            "again",
            "2026-01-02",
            "2026-01-03",
            null,
            BackfillRequest.Mode.ALL,
            null,
            null,
            null,
            null,
            "test",
            null));
    while (processed.size() < 2) {
      Thread.onSpinWait();
    }
    assertThat(processed).containsExactlyInAnyOrder("2026-01-02", "2026-01-03");
  }

  @Test
  void servesThePageOfTheApplicationsPipelines() throws Exception {
    tidemark.apply(client);
    try (PageServer page = tidemark.servePage(client, ANY_PORT)) {
      HttpClient browser = HttpClient.newHttpClient();

      assertThat(get(browser, page.url() + "/api/pipelines/" + name).body()).contains(name);
      assertThat(get(browser, page.url() + "/").body()).contains("<title>Tidemark");
    }
  }

  // Requests through the page carry what the server knows, and no more
  @Test
  void whatIsAskedForOnThePageHasTheSearchAttributesThatTheServerKnows() throws Exception {
    tidemark.apply(client);
    stopWorking();

    assertThat(attributesOfWhatThePageStarts(client))
        .containsKey(WorkflowIds.PIPELINE_ATTRIBUTE)
        .containsKey(WorkflowIds.PARTITION_ATTRIBUTE);
  }

  @Test
  void aServerThatRegistersNoSearchAttributesIsStillAskedForWork() throws Exception {
    tidemark.apply(client);
    stopWorking();
    WorkflowServiceStubs refusing =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(TestServices.temporalAddress())
                .setChannelInitializer(channel -> channel.intercept(new NoOperator()))
                .build());
    try {
      WorkflowClient theirs = WorkflowClient.newInstance(refusing);

      assertThat(attributesOfWhatThePageStarts(theirs)).isEmpty();
    } finally {
      refusing.shutdownNow();
    }
  }

  /** So that what is started stays as it is. */
  private void stopWorking() {
    factory.shutdownNow();
    factory.awaitTermination(30, TimeUnit.SECONDS);
  }

  /** Those of the workflow that waits for requests, which a resume on the page starts. */
  private Map<String, ?> attributesOfWhatThePageStarts(WorkflowClient asks) throws Exception {
    try (PageServer page = tidemark.servePage(asks, ANY_PORT)) {
      HttpResponse<String> resumed =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(page.url() + "/api/pipelines/" + name + "/resume"))
                      .header("X-Tidemark", "1")
                      .POST(HttpRequest.BodyPublishers.ofString("{}"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(resumed.statusCode()).as(resumed.body()).isEqualTo(200);
    }
    WorkflowStub woken = client.newUntypedWorkflowStub(WorkflowIds.manual(name));
    try {
      return woken
          .describe()
          .getWorkflowExecutionInfo()
          .getSearchAttributes()
          .getIndexedFieldsMap()
          .entrySet()
          .stream()
          .filter(attribute -> attribute.getKey().startsWith("Tidemark"))
          .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    } finally {
      woken.terminate("the test is over");
    }
  }

  /** A namespace whose administrators let nobody register anything. */
  private static final class NoOperator implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      if (OperatorServiceGrpc.SERVICE_NAME.equals(method.getServiceName())) {
        throw Status.PERMISSION_DENIED.asRuntimeException();
      }
      return next.newCall(method, options);
    }
  }

  @Test
  void aPageThatCannotBeginGivesItsPortBack() throws Exception {
    long readers = readers();

    int port = portOfAPageThatCannotBegin();

    new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    while (readers() > readers) {
      Thread.onSpinWait();
    }
  }

  /** Anybody may take a free port before the page does. */
  private int portOfAPageThatCannotBegin() throws Exception {
    for (int i = 0; ; i++) {
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      PageSettings settings = new PageSettings("127.0.0.1", port, AccessSettings.NONE, null);
      try {
        tidemark.servePage(closed(), settings).close();
        throw new AssertionError("a page without a client");
      } catch (IllegalStateException refused) {
        assertThat(refused).hasMessage("the application has closed it");
        return port;
      } catch (RuntimeException | IOException taken) {
        if (i == 10) {
          throw taken;
        }
      }
    }
  }

  /** A client that knows who it is, and no way to the server any more. */
  private WorkflowClient closed() {
    return (WorkflowClient)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {WorkflowClient.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getOptions")) {
                return client.getOptions();
              }
              throw new IllegalStateException("the application has closed it");
            });
  }

  private static long readers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("tidemark-objects"))
        .count();
  }

  private static HttpResponse<String> get(HttpClient browser, String url) throws Exception {
    return browser.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The folders of a prefix of the bucket that have a manifest. */
  private static List<String> markers(String prefix) {
    return LAKE
        .client()
        .listObjectsV2(list -> list.bucket(LAKE.name()).prefix(prefix))
        .contents()
        .stream()
        .map(object -> object.key().substring(prefix.length()))
        .filter(key -> key.endsWith("/_manifest.json"))
        .map(key -> key.substring(0, key.indexOf('/')))
        .toList();
  }

  @Test
  void refusesAnOutputOnABucketThatWasNotAdded() {
    TidemarkPlugin.Builder builder =
        TidemarkPlugin.newBuilder()
            .setLedger(TestServices.ledger())
            .addBucket("lake", LAKE)
            .addPipeline(
                Pipeline.named("adrift")
                    .daily(ZoneId.of("UTC"))
                    .from("2026-01-01")
                    .task(context -> {})
                    .output(Output.hive("connection:lakes/exports"))
                    .build());

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pipeline 'adrift': output.location: 'lakes' is not a bucket of addBucket; there are"
                + " [lake]");
  }

  @Test
  void refusesAPluginWithoutALedgerAndTwoPipelinesOfOneName() {
    assertThatThrownBy(() -> TidemarkPlugin.newBuilder().build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("setLedger");
    Pipeline pipeline =
        Pipeline.named("twice")
            .daily(ZoneId.of("UTC"))
            .from("2026-01-01")
            .task(context -> {})
            .build();
    assertThatThrownBy(
            () -> TidemarkPlugin.newBuilder().addPipeline(pipeline).addPipeline(pipeline))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'twice'");
  }

  /** A workflow of the application. */
  @WorkflowInterface
  public interface Greeting {
    @WorkflowMethod
    String greet(String whom);
  }

  /** Its implementation. */
  public static final class GreetingImpl implements Greeting {
    @Override
    public String greet(String whom) {
      return "Hello " + whom;
    }
  }
}
