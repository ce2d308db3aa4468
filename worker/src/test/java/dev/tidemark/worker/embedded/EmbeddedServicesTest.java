package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.worker.embedded.Services.Need;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.ScheduleClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Embedded PostgreSQL and Temporal: real ones. */
@Timeout(180)
class EmbeddedServicesTest {
  /** One for all: making a PostgreSQL's data takes longer than a test. */
  @TempDir static Path folder;

  private final List<String> notices = new CopyOnWriteArrayList<>();

  // c: with no ledger configured the ledger is embedded, and its state survives
  @Test
  void keepsTheLedgerFromOneCommandToTheNext() throws Exception {
    try (Services first = open(Need.LEDGER)) {
      assertThat(first.ownsWorker()).isTrue();
      execute(first.ledger(), "create table kept as select 42 as answer");
    }
    try (Services second = open(Need.LEDGER)) {
      assertThat(query(second.ledger(), "select answer from kept")).isEqualTo("42");
      assertThat(query(second.ledger(), "show fsync")).isEqualTo("on");
      assertThat(query(second.ledger(), "show synchronous_commit")).isEqualTo("on");
      assertThat(query(second.ledger(), "show timezone")).isEqualTo("UTC");
      assertThat(
              query(
                  second.ledger(), "select datcollate from pg_database where datname = 'postgres'"))
          .isEqualTo("C");
    }
  }

  @Test
  void startsARealTemporalServerWithSchedulesAndSearchAttributes() throws Exception {
    try (Services services = open(Need.LEDGER_AND_TEMPORAL)) {
      assertThat(services.temporalIsEmbedded()).isTrue();
      assertThat(services.temporalHasSchedules()).isTrue();
      assertThat(services.temporalUi()).isPresent();
      assertThat(
              ScheduleClient.newInstance(services.client().getWorkflowServiceStubs())
                  .listSchedules())
          .isEmpty();
    }
    assertThat(folder.resolve(".tidemark/services.json")).doesNotExist();
  }

  // Socket files may have no path longer than about a hundred characters.
  @Test
  void worksInADeepFolderWithBlanksInItsName() throws Exception {
    Path deep = Files.createDirectories(folder.resolve("a folder with blanks/".repeat(8)));
    try (Services services =
        Services.open(
            Trial.nothingConfigured(deep),
            ServicesRequest.of(Need.LEDGER),
            Trial.surroundings(),
            notices::add)) {
      assertThat(query(services.ledger(), "select 1")).isEqualTo("1");
    }
  }

  // A command takes over, or ends, embedded services left by a killed one.
  @Test
  void endsWhatAKilledCommandLeftBehind() throws Exception {
    Process killed = hold("command");
    List<ProcessHandle> orphans = services();
    killed.destroyForcibly().waitFor();
    assertThat(orphans).hasSize(2).allMatch(ServiceProcess::runs);

    try (Services services = open(Need.LEDGER_AND_TEMPORAL)) {
      assertThat(orphans).noneMatch(ServiceProcess::runs);
      assertThat(services.ownsWorker()).isTrue();
      assertThat(query(services.ledger(), "select 1")).isEqualTo("1");
    }
  }

  @Test
  void doesNotAttachToADevThatWasKilled() throws Exception {
    Process killed = hold("dev");
    List<ProcessHandle> orphans = services();
    killed.destroyForcibly().waitFor();

    try (Services services = open(Need.LEDGER)) {
      assertThat(services.ownsWorker()).isTrue();
      assertThat(orphans).noneMatch(ServiceProcess::runs);
    }
  }

  @Test
  void endsItsServicesWhenToldToStop() throws Exception {
    Process stopped = hold("dev");
    List<ProcessHandle> children = services();
    assertThat(children).hasSize(2).allMatch(ServiceProcess::runs);

    stopped.destroy();
    stopped.waitFor();

    assertThat(children).noneMatch(ServiceProcess::runs);
    assertThat(folder.resolve(".tidemark/services.json")).doesNotExist();
  }

  @Test
  void attachesToARunningDev() throws Exception {
    try (Services dev = open(ServicesRequest.staying())) {
      dev.publish(null);
      try (Services attached = open(Need.LEDGER_AND_TEMPORAL)) {
        assertThat(attached.ownsWorker()).isFalse();
        assertThat(attached.temporalIsEmbedded()).isTrue();
        assertThat(attached.temporalAddress()).isEqualTo(dev.temporalAddress());
        assertThat(attached.temporalUi()).isEqualTo(dev.temporalUi());
        assertThat(attached.ledgerUrl()).isEqualTo(dev.ledgerUrl());
        attached
            .client()
            .newUntypedWorkflowStub(
                "Anything",
                WorkflowOptions.newBuilder().setWorkflowId("one").setTaskQueue("nobody").build())
            .start();
      }
      // Closing the attached one closed its connections only.
      assertThat(query(dev.ledger(), "select 1")).isEqualTo("1");
      assertThat(dev.client().newUntypedWorkflowStub("one").describe().getWorkflowType())
          .isEqualTo("Anything");
    }
  }

  @Test
  void refusesASecondDev() throws Exception {
    try (Services dev = open(ServicesRequest.staying())) {
      dev.publish(null);
      assertThatThrownBy(() -> open(ServicesRequest.staying()))
          .isInstanceOf(ServiceUnavailableException.class)
          .hasMessageContaining("already runs")
          .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()));
    }
  }

  @Test
  void waitsForAnotherCommandAndThenTakesOver() throws Exception {
    Services first = open(Need.LEDGER);
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(
            () -> {
              try (Services services = open(Need.LEDGER)) {
                return services.ownsWorker();
              } catch (ServiceUnavailableException e) {
                throw new AssertionError(e);
              }
            });
    Trial.await("the second says that it waits", () -> !notices.isEmpty());
    assertThat(second).isNotDone();
    first.close();
    assertThat(second.get()).isTrue();
    assertThat(notices).containsExactly("waiting for another tidemark command here to end ...");
  }

  @Test
  void fallsBackToTheInProcessServerAndSaysWhatIsMissing() throws Exception {
    Surroundings bare = Trial.bareSurroundings(Trial.surroundings().tools().resolve("none"));
    try (Services ledger = open(Need.LEDGER)) {
      // Only Temporal is embedded then: the bare surroundings unpack no PostgreSQL.
      try (Services services =
          Services.open(
              Trial.configured(
                  Files.createDirectory(folder.resolve("other")), jdbcUrl(ledger), null),
              ServicesRequest.of(Need.LEDGER_AND_TEMPORAL),
              bare,
              notices::add)) {
        assertThat(services.temporalHasSchedules()).isFalse();
        assertThat(services.temporalUi()).isEmpty();
        assertThat(notices).containsExactly(InProcessServer.NOTICE);
        services
            .client()
            .newUntypedWorkflowStub(
                "Anything",
                WorkflowOptions.newBuilder().setWorkflowId("one").setTaskQueue("nobody").build())
            .start();
        assertThat(services.client().newUntypedWorkflowStub("one").describe().getWorkflowType())
            .isEqualTo("Anything");
      }
    }
  }

  private static String jdbcUrl(Services services) {
    return services.ledgerUrl() + "?user=postgres";
  }

  private Services open(Need need) throws ServiceUnavailableException {
    return open(ServicesRequest.of(need));
  }

  private Services open(ServicesRequest request) throws ServiceUnavailableException {
    return Services.open(
        Trial.nothingConfigured(folder), request, Trial.surroundings(), notices::add);
  }

  /** Another JVM that has opened the services of the folder. */
  private Process hold(String how) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HoldServices.class.getName(),
                folder.toString(),
                how)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).isEqualTo("open");
    return process;
  }

  /** The server processes that belong to the folder. */
  private List<ProcessHandle> services() throws IOException {
    long postgres =
        Long.parseLong(
            Files.readAllLines(folder.resolve(".tidemark/postgres/postmaster.pid")).get(0));
    long temporal =
        StateFolder.in(folder).read().orElseThrow().processes().stream()
            .filter(process -> process.name().equals("temporal"))
            .findFirst()
            .orElseThrow()
            .pid();
    return List.of(
        ProcessHandle.of(postgres).orElseThrow(), ProcessHandle.of(temporal).orElseThrow());
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }
}
