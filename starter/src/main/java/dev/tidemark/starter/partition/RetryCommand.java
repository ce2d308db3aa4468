package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code retry}: parked and failed partitions need not wait any longer. */
@Command(name = "retry", description = "Makes parked and failed partitions due now.")
public final class RetryCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", index = "0", description = "The pipeline.")
  private String pipeline = "";

  @Parameters(
      paramLabel = "PARTITION",
      index = "1..*",
      arity = "0..*",
      description = "Their labels (default: each that is parked or failed).")
  private List<String> partitions = new ArrayList<>();

  @Mixin private final SliceOption slice = new SliceOption();

  public RetryCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    return new Intervention(workspace)
        .run(
            pipeline,
            partitions,
            slice,
            "due now",
            "nothing to retry: none is parked, failed or waiting, or a claim works on it already",
            (session, registered, labels, filter) ->
                new Interventions(session.ledger()).retry(registered, labels, filter));
  }
}
