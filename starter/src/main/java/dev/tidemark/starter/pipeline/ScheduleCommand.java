package dev.tidemark.starter.pipeline;

import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.process.PipelineSchedules;
import dev.tidemark.worker.process.ScheduleView;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code schedule}: what wakes the pipelines, as it is in Temporal. */
@Command(name = "schedule", description = "Lists, pauses or resumes the schedules in Temporal.")
public final class ScheduleCommand implements Callable<Integer> {
  private static final String PIPELINE = "PIPELINE";
  private static final String PIPELINE_TEXT = "Only this pipeline's (default: each).";

  private final Workspace workspace;

  @Spec private CommandSpec spec = CommandSpec.create();

  public ScheduleCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "say what to do: list, pause or resume");
  }

  @Command(name = "list", description = "Lists the schedules as they are.")
  int list(
      @Parameters(paramLabel = PIPELINE, arity = "0..1", description = PIPELINE_TEXT)
          @Nullable String pipeline)
      throws Exception {
    return change(pipeline, (schedules, name) -> {});
  }

  @Command(name = "pause", description = "Pauses them: no more scheduled sweeps.")
  int pause(
      @Parameters(paramLabel = PIPELINE, arity = "0..1", description = PIPELINE_TEXT)
          @Nullable String pipeline)
      throws Exception {
    return change(pipeline, (schedules, name) -> schedules.pause(name));
  }

  @Command(name = "resume", description = "Lets them go on.")
  int resume(
      @Parameters(paramLabel = PIPELINE, arity = "0..1", description = PIPELINE_TEXT)
          @Nullable String pipeline)
      throws Exception {
    return change(pipeline, (schedules, name) -> schedules.resume(name));
  }

  private int change(@Nullable String pipeline, BiConsumer<PipelineSchedules, String> act)
      throws Exception {
    Configuration configuration = workspace.configuration();
    try (Session session = workspace.requireStanding(configuration, "there are no schedules")) {
      PipelineSchedules schedules = session.schedules();
      for (ScheduleView schedule : matching(schedules, pipeline)) {
        act.accept(schedules, schedule.pipeline());
      }
      List<Line> lines = matching(schedules, pipeline).stream().map(Line::of).toList();
      workspace.console().result(new View(lines), () -> text(lines));
    }
    return ExitCode.DONE.code();
  }

  private static List<ScheduleView> matching(
      PipelineSchedules schedules, @Nullable String pipeline) {
    List<ScheduleView> all = schedules.list();
    if (pipeline == null) {
      return all;
    }
    List<ScheduleView> matching =
        all.stream().filter(schedule -> schedule.pipeline().equals(pipeline)).toList();
    if (matching.isEmpty()) {
      throw CommandFailure.usage(
          PIPELINE,
          "pipeline '"
              + pipeline
              + "' has no schedule; there are schedules of "
              + all.stream().map(ScheduleView::pipeline).toList());
    }
    return matching;
  }

  private static String text(List<Line> lines) {
    if (lines.isEmpty()) {
      return "no schedules; `tidemark apply` makes them";
    }
    Table table = new Table("PIPELINE", "KIND", "SPEC", "STATE", "NEXT");
    for (Line line : lines) {
      table.row(
          line.pipeline(),
          line.kind(),
          line.spec(),
          line.paused() ? "paused" : "running",
          line.next());
    }
    return table.render();
  }

  /** The schedules as JSON. */
  record View(List<Line> schedules) {}

  /** One of them. */
  record Line(String pipeline, String kind, String spec, boolean paused, @Nullable Instant next) {
    static Line of(ScheduleView schedule) {
      return new Line(
          schedule.pipeline(),
          schedule.kind().name().toLowerCase(Locale.ROOT),
          schedule.spec(),
          schedule.paused(),
          schedule.next());
    }
  }
}
