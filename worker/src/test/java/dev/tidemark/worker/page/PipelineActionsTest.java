package dev.tidemark.worker.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.page.AuditTrail;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Grant;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.temporal.client.WorkflowClient;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** What a resume does where not everything can be found out. */
@Timeout(60)
class PipelineActionsTest {
  @TempDir Path folder;

  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final DataSource ledger = TestServices.ledger();
  private final Definitions definitions = new Definitions(ledger);
  private final WorkflowClient client = TestServices.client();

  @BeforeEach
  void pause() {
    definitions.register(
        Pipeline.named(name)
            .daily(ZoneOffset.UTC)
            .from("2026-01-01")
            .until("2026-01-04")
            .task(context -> {})
            .build()
            .definition(),
        "test");
    definitions.pause(name, "test");
  }

  @AfterEach
  void endWhatWasWoken() {
    client.newUntypedWorkflowStub(WorkflowIds.manual(name)).terminate("the test is over");
  }

  private JsonNode resume(DataSource plannedFrom) throws Exception {
    SliceSets slices = new SliceSets(Connections.NONE);
    Plans plans =
        new Plans(
            new LedgerReader(plannedFrom),
            slices,
            new InputVersions(
                Connections.NONE,
                folder,
                Map.of(),
                new Observations(plannedFrom),
                new Upstreams(plannedFrom)),
            new Outputs(plannedFrom));
    Route resume =
        new PipelineActions(
                new Pipelines(definitions),
                definitions,
                plans,
                // Nobody works on this task queue: what is woken stays as it is.
                new TidemarkClient(client, name),
                new Audited(new AuditTrail(ledger), Page.faults()))
            .routes().stream()
                .filter(route -> route.path().endsWith("/resume"))
                .findAny()
                .orElseThrow();
    Caller caller = new Caller("olga", List.of(Grant.everywhere(Role.OPERATE)));
    Response response =
        resume
            .handler()
            .handle(new Request(Map.of("pipeline", name), Map.of(), caller, "127.0.0.1", "{}"));
    assertThat(response.status()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  private void assertGoesOn() {
    assertThat(definitions.get(name).paused()).isFalse();
    assertThat(client.newUntypedWorkflowStub(WorkflowIds.manual(name)).describe().getWorkflowType())
        .isEqualTo("TidemarkSweep");
  }

  // c-F4
  @Test
  void aResumeSaysWhatItFills() throws Exception {
    JsonNode resumed = resume(ledger);

    assertThat(resumed.path("changed").asBoolean()).isTrue();
    assertThat(resumed.path("missing").asInt()).isEqualTo(3);
    assertThat(resumed.path("notices")).isEmpty();
    assertGoesOn();
  }

  // c-F4
  @Test
  void aResumeWakesThePipelineAndSaysSoWhereTheGapCannotBeListed() throws Exception {
    PGSimpleDataSource lost = new PGSimpleDataSource();
    lost.setURL("jdbc:postgresql://127.0.0.1:1/lost");

    JsonNode resumed = resume(lost);

    assertThat(resumed.path("paused").asBoolean()).isFalse();
    assertThat(resumed.path("missing").isNull()).isTrue();
    assertThat(resumed.at("/notices/0").asText())
        .isEqualTo("what it will fill cannot be listed: PostgreSQL cannot be reached");
    assertGoesOn();
  }
}
