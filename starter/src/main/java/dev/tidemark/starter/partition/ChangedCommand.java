package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code changed}: push, an input changed (C22). */
@Command(
    name = "changed",
    description = "Says that the input of partitions changed.",
    footer = "%nFor pipelines with the input {push: true}.")
public final class ChangedCommand implements Callable<Integer> {
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
        Workspace.pipeline(workspace.configuration(), pipeline).inputs().stream()
            .anyMatch(InputSpec.Push.class::isInstance);
    if (!listens) {
      throw CommandFailure.usage(
          "PIPELINE",
          "'"
              + pipeline
              + "' has no input {push: true}, so that this would change nothing; add one");
    }
    return new Intervention(workspace)
        .run(pipeline, partitions, slice, "marked as changed", this::push);
  }

  private int push(
      Session session, RegisteredPipeline registered, List<String> labels, Slice filter) {
    Observations observations = new Observations(session.ledger());
    return labels.stream()
        .mapToInt(label -> observations.push(registered, filter, label, version))
        .sum();
  }
}
