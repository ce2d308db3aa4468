package dev.tidemark.activities.task;

import dev.tidemark.activities.publish.Contents;

/** Runs tasks of one kind. */
@FunctionalInterface
interface TaskRunner {

  /**
   * Runs the task to its end.
   *
   * @return what it knows of what it wrote
   * @throws InterruptedException if the run was ended
   * @throws Exception as {@link PartitionTask#run}
   */
  Contents run(TaskRun run) throws Exception;
}
