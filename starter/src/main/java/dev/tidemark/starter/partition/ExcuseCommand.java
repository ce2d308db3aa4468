package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.starter.session.Workspace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code excuse}: a window without it counts as complete (c-D19). */
@Command(name = "excuse", description = "Takes partitions out of the expected set, with a reason.")
public final class ExcuseCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Mixin private final PartitionArguments asked = new PartitionArguments();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why, for the record.")
  private String reason = "";

  public ExcuseCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    return new Intervention(workspace)
        .run(
            asked.pipeline(),
            asked.partitions(),
            asked.slice(),
            "excused",
            "nothing to do: each is excused already, for this reason",
            (session, registered, labels, filter) ->
                new Interventions(session.ledger()).excuse(registered, labels, filter, reason));
  }
}
