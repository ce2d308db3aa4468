package dev.tidemark.worker.page;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a definition says, in words. Commands and queries are left out: somebody may have written a
 * password into one.
 *
 * @param task its kind
 * @param freshness null where there is no such rule
 */
record Rules(
    String task,
    List<String> inputs,
    String closes,
    String order,
    int parallel,
    @Nullable Duration freshness,
    @Nullable String output) {

  static Rules of(PipelineDefinition definition) {
    Limits limits = definition.pace().limits();
    return new Rules(
        task(definition.task()),
        definition.inputs().stream().map(Rules::input).toList(),
        closes(definition.extent().closure()),
        definition.pace().order().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        limits.parallel(),
        definition.pace().freshness(),
        definition.output() == null ? null : definition.output().location());
  }

  static String input(InputSpec input) {
    if (input instanceof InputSpec.Files files) {
      return "files " + files.glob();
    }
    if (input instanceof InputSpec.Sql sql) {
      return "a query on " + sql.connection();
    }
    if (input instanceof InputSpec.Upstream upstream) {
      return "pipeline " + upstream.pipeline();
    }
    return input instanceof InputSpec.Push ? "push" : "a detector in Java";
  }

  private static String task(TaskSpec task) {
    if (task instanceof TaskSpec.Command) {
      return "command";
    }
    if (task instanceof TaskSpec.Sql sql) {
      return "SQL on " + sql.connection();
    }
    if (task instanceof TaskSpec.Export export) {
      return "export from " + export.connection();
    }
    if (task instanceof TaskSpec.Foreign foreign) {
      return foreign.type() + " on task queue " + foreign.taskQueue();
    }
    return "Java";
  }

  private static String closes(Closure closure) {
    if (closure instanceof Closure.AtWallTime at) {
      return "at " + at.time() + " on the day after";
    }
    Duration delay = ((Closure.AfterDelay) closure).delay();
    return delay.isZero() ? "at its end" : delay + " after its end";
  }
}
