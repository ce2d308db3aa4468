package dev.tidemark.activities.task;

import org.jspecify.annotations.Nullable;

/** Runs tasks of one kind. */
@FunctionalInterface
interface TaskRunner {

  /**
   * Runs the task to its end.
   *
   * @return how many rows it wrote, null where it does not know
   * @throws InterruptedException if the run was ended
   * @throws Exception as {@link PartitionTask#run}
   */
  @Nullable Long run(TaskRun run) throws Exception;
}
