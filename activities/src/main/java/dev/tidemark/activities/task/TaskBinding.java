package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether this worker can run a registered pipeline's task as it was registered. */
@FunctionalInterface
public interface TaskBinding {
  /** For a worker without definitions of its own: it runs what is registered. */
  TaskBinding ANY = registered -> Optional.empty();

  /** Why it cannot, for people; empty if it can. */
  Optional<String> refusal(RegisteredPipeline registered);

  /** For a worker that has these definitions: a task must be as it has it, so must the output. */
  static TaskBinding to(List<PipelineDefinition> own) {
    Map<String, PipelineDefinition> byName =
        own.stream().collect(Collectors.toMap(PipelineDefinition::name, Function.identity()));
    return registered -> {
      PipelineDefinition mine = byName.get(registered.name());
      if (mine == null) {
        return Optional.of(
            "this worker has no pipeline '" + registered.name() + "'; it has " + byName.keySet());
      }
      PipelineDefinition theirs = registered.definition();
      boolean same =
          mine.task().equals(theirs.task())
              && String.valueOf(mine.output()).equals(String.valueOf(theirs.output()));
      return same
          ? Optional.empty()
          : Optional.of(
              "this worker's definition of '"
                  + registered.name()
                  + "' differs from registered revision "
                  + registered.revision()
                  + "; apply the new one, or restart the worker with the registered one");
    };
  }
}
