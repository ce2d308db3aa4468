package dev.tidemark.starter.publish;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.publish.Adoption;
import dev.tidemark.activities.publish.Adoption.Candidate;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Who;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code adopt}: outputs that were made elsewhere are complete. */
@Command(
    name = "adopt",
    description = "Declares outputs made elsewhere complete: writes their manifests.",
    footer = {
      "%nIn layout hive it adopts the part-* files of the partition's folder, or all plain files where",
      "there are none; in layout file, the file. What they were made from is not known, so that a",
      "changed input does not make them late."
    })
public final class AdoptCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", index = "0", description = "The pipeline.")
  private String pipeline = "";

  @Parameters(
      paramLabel = "PARTITION",
      index = "1..*",
      arity = "1..*",
      description = "Their labels.")
  private List<String> partitions = new ArrayList<>();

  @Mixin private final SliceOption slice = new SliceOption();

  public AdoptCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    PublishedHere.require(definition);
    List<String> labels = Asked.windows(definition, partitions);
    Slice filter = slice.filter(definition);
    try (Session session = workspace.openStanding(configuration)) {
      RegisteredPipeline registered = session.forWork(definition);
      session.bringUpToDate(registered, null);
      List<OutputRow> rows = new Outputs(session.ledger()).rows(registered, labels, filter);
      int adopted = adopt(session, registered, rows);
      workspace
          .console()
          .result(
              new View(pipeline, labels, adopted),
              () -> adopted + (adopted == 1 ? " partition" : " partitions") + " adopted");
    }
    return ExitCode.DONE.code();
  }

  /**
   * One that cannot be adopted is found before any is; where one changes later, those before it
   * stay adopted.
   */
  private int adopt(Session session, RegisteredPipeline registered, List<OutputRow> rows)
      throws Exception {
    Adoption adoption =
        new Adoption(
            OutputLedger.of(session.ledger()),
            new Attempts(session.ledger()),
            session.stores(workspace.clock()),
            version());
    Instant now = session.now();
    Window closed =
        registered
            .definition()
            .extent()
            .closedThrough(now)
            .orElseThrow(() -> CommandFailure.usage("PARTITION", "no partition is closed yet"));
    List<Candidate> candidates = adoption.find(registered, rows);
    for (Candidate candidate : candidates) {
      adoption.adopt(registered, candidate, now, closed, Who.asks());
    }
    return candidates.size();
  }

  private static String version() {
    return Objects.requireNonNullElse(
        AdoptCommand.class.getPackage().getImplementationVersion(), "development");
  }

  /** The result as JSON. */
  record View(String pipeline, List<String> partitions, int adopted) {}
}
