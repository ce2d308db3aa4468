package dev.tidemark.starter.pipeline;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.starter.output.Console;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Failures;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.Plan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code resume}: allows live work again, and says what it will fill (c-F4). */
@Command(
    name = "resume",
    description = "Allows a pipeline's live work again, and lists the gap it will fill.")
public final class ResumeCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(ResumeCommand.class);

  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  @Mixin private final NowOption now = new NowOption();

  public ResumeCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    try (Session session = workspace.openStanding(configuration)) {
      session.forWork(definition);
      boolean changed = session.definitions().resume(pipeline);
      View view;
      try {
        // The gap as it is before anything of it is made.
        view = new View(pipeline, false, changed, gap(session));
      } finally {
        session.wake(pipeline);
      }
      workspace.console().result(view, () -> text(view));
    }
    return ExitCode.DONE.code();
  }

  /**
   * The closed partitions that were never made; null where they cannot be listed, which is said:
   * the pipeline goes on all the same.
   */
  private @Nullable List<Missing> gap(Session session) {
    Console console = workspace.console();
    try {
      RegisteredPipeline resumed = session.definitions().get(pipeline);
      Plan plan = session.plans().plan(resumed, now.given(), null, null, console::notice);
      return plan.missing().stream()
          .map(line -> new Missing(line.window().label(), line.slice().values()))
          .toList();
    } catch (RuntimeException e) {
      log.debug("the gap that {} will fill cannot be listed", pipeline, e);
      console.notice(
          "what it will fill cannot be listed: " + Failures.of(e).view().error().message());
      return null;
    }
  }

  private static String text(View view) {
    String first = view.pipeline() + (view.changed() ? " goes on" : " was not paused");
    if (view.gap() == null) {
      return first;
    }
    if (view.gap().isEmpty()) {
      return first + "; no closed partition is missing";
    }
    Table table = new Table("PARTITION", "SLICE");
    for (Missing missing : view.gap()) {
      table.row(missing.partition(), Slice.of(missing.slice()).canonical());
    }
    return first + "; missing, and filled next: " + view.gap().size() + "\n" + table.render();
  }

  /**
   * The result as JSON.
   *
   * @param gap null where it cannot be listed
   */
  record View(String pipeline, boolean paused, boolean changed, @Nullable List<Missing> gap) {}

  /** One partition of the gap. */
  record Missing(String partition, Map<String, String> slice) {}
}
