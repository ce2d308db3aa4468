package dev.tidemark.starter.publish;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.publish.Reconciliation;
import dev.tidemark.activities.publish.Reconciliation.Reconciled;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.RangeOptions;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reconcile}: ledger and store are compared in full, and made to agree (A53). */
@Command(
    name = "reconcile",
    description = "Compares the ledger with the outputs in full, heals what differs, and reports.",
    footer = {
      "%nLost outputs are due again, outputs that the ledger does not know are taken in, parts of",
      "attempts before the committed one and old stagings are removed. Exits 0 when that is done,",
      "whatever was found; 4 if so much is missing that --confirm is needed: of that nothing is due."
    })
public final class ReconcileCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  @Mixin private final RangeOptions range = new RangeOptions();

  @Option(
      names = "--checksums",
      description = "Read the contents of all files too, and compare their hashes.")
  private boolean checksums;

  @Option(
      names = "--confirm",
      description = "What is missing is lost, however much it is: make it due again.")
  private boolean confirmed;

  public ReconcileCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    PublishedHere.require(definition);
    Asked.Range asked = range.range(definition);
    try (Session session = workspace.openStanding(configuration)) {
      RegisteredPipeline registered = session.forWork(definition);
      session.bringUpToDate(registered, null);
      Reconciled reconciled =
          new Reconciliation(OutputLedger.of(session.ledger()), session.stores(workspace.clock()))
              .run(
                  registered,
                  new Reconciliation.Request(asked.from(), asked.to(), checksums, confirmed));
      if (reconciled.lost() > 0) {
        session.wake(pipeline);
      }
      refuse(reconciled);
      View view = View.of(pipeline, reconciled);
      workspace.console().result(view, view::text);
    }
    return ExitCode.DONE.code();
  }

  private void refuse(Reconciled reconciled) {
    if (reconciled.missing() > 0) {
      throw CommandFailure.refused(
          ("%d of the %d outputs of %s are not in the store as they were committed: too many at once to be believed, and none of"
                  + " them is due again. If the store is the right one and they are lost, add --confirm. Done: %s")
              .formatted(
                  reconciled.missing(),
                  reconciled.checked(),
                  pipeline,
                  View.of(pipeline, reconciled).text()));
    }
  }

  /** The report as JSON (contracts, section 1). */
  record View(
      String pipeline,
      int checked,
      int lost,
      int adopted,
      int restored,
      int stale,
      @JsonProperty("orphans_removed") int orphansRemoved) {
    static View of(String pipeline, Reconciled reconciled) {
      return new View(
          pipeline,
          reconciled.checked(),
          reconciled.lost(),
          reconciled.adopted(),
          reconciled.restored(),
          reconciled.stale(),
          reconciled.orphansRemoved());
    }

    String text() {
      return "%s: %d outputs checked, %d lost and due again, %d taken in, %d markers written back, %d stale, %d orphans removed"
          .formatted(pipeline, checked, lost, adopted, restored, stale, orphansRemoved);
    }
  }
}
