package dev.tidemark.starter.publish;

import dev.tidemark.activities.publish.BadMarkerException;
import dev.tidemark.activities.publish.OutputReader;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.OnePartition;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.process.ConnectionPools;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code read}: the files of a complete partition (B15); asks the store alone. */
@Command(
    name = "read",
    description = "Waits for a partition to be complete, and prints its files.",
    footer = {
      "%nRead them, then run it again: if the token is the same, what was read is one whole output.",
      "Exits 1 if the partition is not complete in time."
    })
public final class ReadCommand implements Callable<Integer> {
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Workspace workspace;

  @Mixin private final OnePartition asked = new OnePartition();

  @Option(
      names = "--wait",
      paramLabel = "D",
      description = "Wait so long for it, such as 15m (default: look once).")
  private @Nullable Duration wait;

  public ReadCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = asked.definition(configuration);
    PublishedHere.require(definition);
    Window window = asked.window(definition);
    Slice whole = asked.slice(definition);
    PublishedOutput output = find(configuration, definition, window, whole);
    workspace.console().result(output, () -> text(output));
    return ExitCode.DONE.code();
  }

  private PublishedOutput find(
      Configuration configuration, PipelineDefinition definition, Window window, Slice slice)
      throws IOException, InterruptedException {
    try (ConnectionPools pools = ConnectionPools.of(configuration.connections())) {
      Stores stores =
          new ConfiguredStores(configuration.folder(), pools.connections(), workspace.clock());
      return find(new OutputReader(definition, stores), window, slice);
    }
  }

  private PublishedOutput find(OutputReader reader, Window window, Slice slice)
      throws IOException, InterruptedException {
    Duration left = wait == null ? Duration.ZERO : wait;
    while (true) {
      String why = "";
      try {
        Optional<PublishedOutput> found = reader.find(window, slice);
        if (found.isPresent()) {
          return found.get();
        }
      } catch (BadMarkerException e) {
        why = ": " + e.getMessage() + "; reconcile makes it due again";
      }
      if (left.compareTo(Duration.ZERO) <= 0) {
        throw CommandFailure.failed(
            "partition '" + asked.label() + "' of " + asked.pipeline() + " is not complete" + why);
      }
      Thread.sleep(BETWEEN_LOOKS.toMillis());
      left = left.minus(BETWEEN_LOOKS);
    }
  }

  private static String text(PublishedOutput output) {
    return output.files().stream()
        .map(PublishedOutput.File::address)
        .collect(Collectors.joining("\n"));
  }
}
