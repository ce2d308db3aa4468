package dev.tidemark.starter.documentation;

import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TaskContext;

/** The application's own, in docs/recipes.md. */
final class SalesTask implements PartitionTask {
  @Override
  public void run(TaskContext context) {}
}
