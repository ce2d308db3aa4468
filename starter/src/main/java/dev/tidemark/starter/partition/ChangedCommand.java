package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code changed}: push, an input changed (C22). */
@Command(
    name = "changed",
    description = "Says that the input of partitions changed.",
    footer = "%nFor pipelines with the input {push: true}.")
public final class ChangedCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Mixin private final PartitionArguments asked = new PartitionArguments();

  @Option(
      names = "--version",
      paramLabel = "V",
      description = "The version it has now (default: a new one).")
  private @Nullable String version;

  public ChangedCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    boolean listens =
        Workspace.pipeline(workspace.configuration(), asked.pipeline()).inputs().stream()
            .anyMatch(InputSpec.Push.class::isInstance);
    if (!listens) {
      throw CommandFailure.usage(
          "PIPELINE",
          "'"
              + asked.pipeline()
              + "' has no input {push: true}, so that this would change nothing; add one");
    }
    return new Intervention(workspace)
        .run(
            asked.pipeline(),
            asked.partitions(),
            asked.slice(),
            "marked as changed",
            "nothing changed",
            this::push);
  }

  private int push(
      Session session, RegisteredPipeline registered, List<String> labels, Slice filter) {
    Observations observations = new Observations(session.ledger());
    return labels.stream()
        .mapToInt(label -> observations.push(registered, filter, label, version))
        .sum();
  }
}
