package dev.tidemark.starter.publish;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.publish.Reconciliation;
import dev.tidemark.activities.publish.Reconciliation.Reconciled;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Who;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rebuild-ledger}: the outputs are the truth, and the ledger an index of them (A15). */
@Command(
    name = "rebuild-ledger",
    description = "Fills an empty ledger from the manifests of the outputs.",
    footer = {
      "%nThe next sweep then runs only what has no output. Excuses, pauses, requests and failures are",
      "not in the outputs: those of the old ledger are gone. Exits 4 if anything is committed in this",
      "ledger already: reconcile compares then."
    })
public final class RebuildLedgerCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  public RebuildLedgerCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    PublishedHere.require(definition);
    try (Session session = workspace.openStanding(configuration)) {
      RegisteredPipeline registered =
          session.definitions().find(pipeline).isPresent()
              ? session.forWork(definition)
              : session.definitions().register(definition, Who.asks()).pipeline();
      if (new Outputs(session.ledger()).hasCommits(registered)) {
        throw CommandFailure.refused(
            "the ledger of '"
                + pipeline
                + "' is not empty; `tidemark reconcile "
                + pipeline
                + "` compares it with the outputs");
      }
      session.bringUpToDate(registered, null);
      Reconciled rebuilt =
          new Reconciliation(OutputLedger.of(session.ledger()), session.stores(workspace.clock()))
              .run(registered, Reconciliation.Request.ALL);
      workspace
          .console()
          .notice(
              "excuses, pauses, requests and failures are not in the outputs: what the old ledger"
                  + " had of them is gone");
      View view = new View(pipeline, rebuilt.adopted(), rebuilt.stale());
      workspace.console().result(view, view::text);
    }
    return ExitCode.DONE.code();
  }

  /** The result as JSON. */
  record View(String pipeline, int adopted, int stale) {
    String text() {
      return "%s: %d outputs taken into the ledger, %d of them made with another definition"
          .formatted(pipeline, adopted, stale);
    }
  }
}
