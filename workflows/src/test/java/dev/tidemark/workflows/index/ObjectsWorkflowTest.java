package dev.tidemark.workflows.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.workflows.payload.Payloads;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run of an object type does with what its activities say. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ObjectsWorkflowTest {
  private static final String QUEUE = "objects";
  private static final Build BUILD =
      new Build("customer", 7, 3, 12, false, List.of("crm", "changes"));

  private final Fake fake = new Fake();
  private TestWorkflowEnvironment server;

  @BeforeEach
  void start() {
    server =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setWorkflowClientOptions(
                    WorkflowClientOptions.newBuilder()
                        .setDataConverter(Payloads.dataConverter())
                        .build())
                .build());
    Worker worker = server.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(ObjectsWorkflowImpl.class);
    worker.registerActivitiesImplementations(fake);
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ObjectsReport run(String id, ObjectsInput input) {
    return server
        .getWorkflowClient()
        .newWorkflowStub(
            ObjectsWorkflow.class,
            WorkflowOptions.newBuilder().setWorkflowId(id).setTaskQueue(QUEUE).build())
        .run(input);
  }

  private static BuildDecision decision(BuildDecision.Kind kind, @Nullable Integer replacement) {
    Build build = kind == BuildDecision.Kind.BUILD ? BUILD : null;
    return new BuildDecision(kind, build, kind.name(), replacement);
  }

  // D3, D5: the stages in their order, until nothing is new
  @Test
  void aRunBuildsUntilNothingIsNew() throws Exception {
    fake.live.add(decision(BuildDecision.Kind.BUILD, null));

    ObjectsReport report = run("live", new ObjectsInput("customer", false, false));

    assertThat(fake.done)
        .containsExactly("changelog crm", "changelog changes", "merge", "index", "hydrate");
    assertThat(report).isEqualTo(new ObjectsReport("customer", 1, 0, 3, false, null, null));
    record("objects-live", "live");
  }

  // D26, D27
  @Test
  void aBuildThatChangesTooMuchBeginsAnewAsAFullOne() {
    fake.live.add(decision(BuildDecision.Kind.BUILD, null));
    fake.full = "share";

    ObjectsReport report = run("wide", new ObjectsInput("customer", false, false));

    assertThat(fake.done)
        .containsExactly(
            "changelog crm",
            "changelog changes",
            "widen share",
            "changelog crm",
            "changelog changes",
            "merge",
            "index",
            "hydrate");
    assertThat(report.builds()).isEqualTo(1);
  }

  // D15, D32: nothing is tried again, and the reason is kept
  @Test
  void badDataFailsTheBuildWithItsReason() {
    fake.live.add(decision(BuildDecision.Kind.BUILD, null));
    fake.failure =
        ApplicationFailure.newNonRetryableFailure("key 7 twice", IndexActivities.BAD_DATA);

    ObjectsReport report = run("bad", new ObjectsInput("customer", false, false));

    assertThat(fake.done).containsExactly("fail key 7 twice true");
    assertThat(report.failed()).isEqualTo(1);
    assertThat(report.detail()).isEqualTo("key 7 twice");
  }

  @Test
  void aSupersededBuildIsLeftToWhoTookItsPlace() {
    fake.live.add(decision(BuildDecision.Kind.BUILD, null));
    fake.failure = ApplicationFailure.newNonRetryableFailure("newer", IndexActivities.SUPERSEDED);

    run("superseded", new ObjectsInput("customer", false, false));

    assertThat(fake.done).isEmpty();
  }

  @Test
  void whoFindsAnotherBuildRunningEndsUnlessAPersonWaits() {
    fake.live.add(decision(BuildDecision.Kind.BUSY, null));
    ObjectsReport tick = run("tick", new ObjectsInput("customer", false, false));
    fake.live.add(decision(BuildDecision.Kind.BUSY, null));
    fake.live.add(decision(BuildDecision.Kind.BUILD, null));
    ObjectsReport asked = run("asked", new ObjectsInput("customer", false, true));

    assertThat(tick.builds()).isZero();
    assertThat(asked.builds()).isEqualTo(1);
    assertThat(fake.asked).as("until it is answered").containsExactly(false, true, true, false);
  }

  // D9, D10: beside Live, until the switch
  @Test
  void aReplacementIsBuiltBesideTheLiveIndexUntilItIsSwitched() throws Exception {
    fake.live.add(decision(BuildDecision.Kind.UP_TO_DATE, 2));
    fake.replacement.add(decision(BuildDecision.Kind.BUILD, 2));
    fake.waits = 2;

    ObjectsReport live = run("live", new ObjectsInput("customer", false, false));
    String id = ObjectsIds.replacement("customer", 2);
    ObjectsReport next =
        server.getWorkflowClient().newUntypedWorkflowStub(id).getResult(ObjectsReport.class);

    assertThat(live.replacement()).isEqualTo(2);
    assertThat(next.switched()).isTrue();
    assertThat(next.builds()).isEqualTo(1);
    assertThat(fake.waits).isZero();
    record("objects-with-replacement", "live");
    record("objects-replacement", id);
  }

  // D10: of a query without a version there is something new at each look
  @Test
  void aReplacementThatAlwaysFindsSomethingNewIsSwitchedAfterABuild() {
    fake.replacement.add(decision(BuildDecision.Kind.BUILD, 2));
    fake.replacement.add(decision(BuildDecision.Kind.BUILD, 2));

    ObjectsReport report = run("next", new ObjectsInput("customer", true, false));

    assertThat(report.switched()).isTrue();
    assertThat(report.builds()).isEqualTo(1);
    assertThat(fake.done).endsWith("switch to 2");
  }

  // A history has a bound, and many datasources reach it in few rounds
  @Test
  void aRunOfManyDatasourcesEndsAfterFewerBuilds() {
    List<String> many = Collections.nCopies(250, "crm");
    Build build = new Build("customer", 7, 3, 12, false, many);
    for (int i = 0; i < 4; i++) {
      fake.live.add(new BuildDecision(BuildDecision.Kind.BUILD, build, null, null));
    }

    ObjectsReport report = run("many", new ObjectsInput("customer", false, false));

    assertThat(report.builds()).isEqualTo(2);
    assertThat(report.detail()).contains("the next run does it");
  }

  // A workflow that was running when a new version was deployed goes on.
  @ParameterizedTest
  @ValueSource(strings = {"objects-live", "objects-with-replacement", "objects-replacement"})
  void recordedHistoriesReplay(String name) {
    assertThatCode(
            () ->
                WorkflowReplayer.replayWorkflowExecutionFromResource(
                    "histories/" + name + ".json", ObjectsWorkflowImpl.class))
        .doesNotThrowAnyException();
  }

  /** Into the folder that the system property names; to be kept when the commands change. */
  private void record(String name, String workflowId) throws IOException {
    String folder = System.getProperty("tidemark.histories");
    if (folder != null) {
      WorkflowExecutionHistory history = server.getWorkflowClient().fetchHistory(workflowId);
      Files.writeString(Path.of(folder, name + ".json"), history.toJson(true));
    }
  }

  /** Says what it is told to say, and keeps what was asked of it. */
  private static final class Fake implements IndexActivities {
    private final Deque<BuildDecision> live = new ArrayDeque<>();
    private final Deque<BuildDecision> replacement = new ArrayDeque<>();
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final List<Boolean> asked = Collections.synchronizedList(new ArrayList<>());
    private @Nullable String full;
    private @Nullable ApplicationFailure failure;
    private volatile int waits;

    @Override
    public synchronized BuildDecision begin(BuildRequest request) {
      asked.add(request.asked());
      BuildDecision next = (request.replacement() ? replacement : live).poll();
      return next == null
          ? decision(BuildDecision.Kind.UP_TO_DATE, request.replacement() ? 2 : null)
          : next;
    }

    @Override
    public @Nullable String changelog(Build build, String datasource) {
      if (failure != null) {
        throw failure;
      }
      done.add("changelog " + datasource);
      return build.full() ? null : full;
    }

    @Override
    public Build widen(Build build, String cause) {
      done.add("widen " + cause);
      return new Build("customer", 7, 3, 13, true, build.datasources());
    }

    @Override
    public void merge(Build build) {
      done.add("merge");
    }

    @Override
    public void index(Build build) {
      done.add("index");
    }

    @Override
    public Hydration hydrate(Build build) {
      done.add("hydrate");
      return new Hydration(List.of(), List.of());
    }

    @Override
    public void fail(Build build, String error, boolean badData) {
      done.add("fail " + error + " " + badData);
    }

    @Override
    public SwitchOutcome switchOver(String objectType, int revision) {
      done.add("switch to " + revision);
      boolean ready = waits == 0;
      waits = Math.max(0, waits - 1);
      return new SwitchOutcome(ready, ready ? "" : "not open yet");
    }
  }
}
