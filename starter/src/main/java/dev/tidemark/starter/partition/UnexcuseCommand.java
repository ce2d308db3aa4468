package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code unexcuse}: the partitions are due again where they are not committed. */
@Command(name = "unexcuse", description = "Puts excused partitions back into the expected set.")
public final class UnexcuseCommand implements Callable<Integer> {
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
            pipeline,
            partitions,
            slice,
            "expected again",
            (session, registered, labels, filter) ->
                new Interventions(session.ledger()).unexcuse(registered, labels, filter, reason));
  }
}
