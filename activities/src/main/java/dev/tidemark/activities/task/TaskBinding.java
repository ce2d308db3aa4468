package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether this worker can run a registered pipeline's task as it was registered. */
@FunctionalInterface
public interface TaskBinding {
  /** For a worker without definitions of its own: it runs what is registered. */
  TaskBinding ANY = registered -> Optional.empty();

  /** Why it cannot, for people; empty if it can. */
  Optional<String> refusal(RegisteredPipeline registered);

  /**
   * For a worker that has these definitions. What a command or a statement does is in the
   * registered definition, whatever this worker's own file says; what a Java task does is in this
   * worker, so that it must have been registered as this worker has it.
   */
  static TaskBinding to(List<PipelineDefinition> own) {
    Map<String, TaskSpec> tasks =
        own.stream().collect(Collectors.toMap(PipelineDefinition::name, PipelineDefinition::task));
    return registered -> {
      TaskSpec theirs = registered.definition().task();
      if (!(theirs instanceof TaskSpec.Java registeredTask)) {
        return Optional.empty();
      }
      TaskSpec mine = tasks.get(registered.name());
      if (mine == null) {
        return Optional.of(
            "this worker has no pipeline '" + registered.name() + "'; it has " + tasks.keySet());
      }
      return mine instanceof TaskSpec.Java ownTask && ownTask.type().equals(registeredTask.type())
          ? Optional.empty()
          : Optional.of(
              "this worker's task of '"
                  + registered.name()
                  + "' differs from registered revision "
                  + registered.revision()
                  + "; apply the new one, or restart the worker with the registered one");
    };
  }
}
