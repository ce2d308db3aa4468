package dev.tidemark.starter.partition;

import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code try}: the task of one partition, now, for the one who writes it. */
@Command(
    name = "try",
    description = "Runs the task now in a private folder; publishes and records nothing.")
public final class TryCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", index = "0", description = "The pipeline.")
  private String pipeline = "";

  @Parameters(paramLabel = "PARTITION", index = "1", description = "Its label.")
  private String partition = "";

  @Mixin private final SliceOption slice = new SliceOption();

  @Option(names = "--keep", paramLabel = "DIR", description = "Keep what it makes in this folder.")
  private @Nullable Path keep;

  public TryCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    throw CommandFailure.notBuilt("try");
  }
}
