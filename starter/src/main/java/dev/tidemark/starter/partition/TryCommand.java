package dev.tidemark.starter.partition;

import dev.tidemark.activities.task.TaskTrial;
import dev.tidemark.activities.task.Tasks;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.OnePartition;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.process.ConnectionPools;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code try}: the task of one partition, now, for the one who writes it. */
@Command(
    name = "try",
    description = "Runs the task now in a private folder; publishes and records nothing.",
    footer =
        "%nExits 1 if the task fails. A task of kind sql is refused: it would change a table;"
            + " so are activity and workflow: other workers run them.")
public final class TryCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Mixin private final OnePartition asked = new OnePartition();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Make the output here, in an empty or a new folder, and keep it.")
  private @Nullable Path keep;

  public TryCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = asked.definition(configuration);
    Window window = asked.window(definition);
    Slice whole = asked.slice(definition);
    if (definition.task() instanceof TaskSpec.Sql) {
      throw CommandFailure.refused(
          "the task of '"
              + asked.pipeline()
              + "' is SQL: to try it would change what it writes to");
    }
    if (definition.task() instanceof TaskSpec.Foreign foreign) {
      throw CommandFailure.refused(
          "the task of '"
              + asked.pipeline()
              + "' is run by the workers of task queue '"
              + foreign.taskQueue()
              + "', where nothing keeps a trial apart from the real thing: to run one partition, use"
              + " backfill --from P --to P --mode all --wait");
    }
    Path output = folder();
    try (ConnectionPools pools = ConnectionPools.of(configuration.connections())) {
      Tasks tasks = new Tasks(configuration.folder(), pools.connections(), Map.of());
      var result = new TaskTrial(tasks).run(definition, window, whole, Map.of(), output);
      View view =
          new View(
              asked.pipeline(),
              window.label(),
              whole.values(),
              result.error() == null,
              result.error(),
              result.log(),
              files(output));
      workspace.console().result(view, () -> text(view));
      return (result.error() == null ? ExitCode.DONE : ExitCode.FAILED).code();
    } finally {
      if (keep == null) {
        delete(output);
      }
    }
  }

  private Path folder() throws IOException {
    if (keep == null) {
      return Files.createTempDirectory("tidemark-try-");
    }
    Path kept = keep.toAbsolutePath();
    if (Files.exists(kept) && !Files.isDirectory(kept)) {
      throw CommandFailure.usage("--keep", "--keep " + keep + " is not a folder");
    }
    Files.createDirectories(kept);
    if (!files(kept).isEmpty()) {
      throw CommandFailure.refused("--keep " + keep + " is not empty; name a new folder");
    }
    return kept;
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> below = Files.walk(folder)) {
      return below
          .filter(path -> !path.equals(folder))
          .map(path -> folder.relativize(path).toString())
          .sorted()
          .toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> below = Files.walk(folder)) {
      deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
  }

  private static String text(View view) {
    String printed = view.log() == null ? "" : view.log() + "\n";
    return printed
        + (view.error() == null ? "the task succeeded" : "the task failed: " + view.error())
        + "; its output: "
        + (view.files().isEmpty() ? "no files" : String.join(", ", view.files()));
  }

  /** How it went, as JSON. */
  record View(
      String pipeline,
      String partition,
      Map<String, String> slice,
      boolean succeeded,
      @Nullable String error,
      @Nullable String log,
      List<String> files) {}
}
