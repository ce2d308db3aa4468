package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.starter.session.Workspace;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code unexcuse}: the partitions are due again where they are not committed. */
@Command(name = "unexcuse", description = "Puts excused partitions back into the expected set.")
public final class UnexcuseCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Mixin private final PartitionArguments asked = new PartitionArguments();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why, for the record.")
  private String reason = "";

  public UnexcuseCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    return new Intervention(workspace)
        .run(
            asked.pipeline(),
            asked.partitions(),
            asked.slice(),
            "expected again",
            "nothing to do: none of them is excused",
            (session, registered, labels, filter) ->
                new Interventions(session.ledger()).unexcuse(registered, labels, filter, reason));
  }
}
