package dev.tidemark.activities.task;

/**
 * What to do for one partition, in Java. May run more than once for the same partition, also at
 * once with an earlier run that was given up: write only below {@link TaskContext#output()}, or
 * idempotently by partition.
 */
@FunctionalInterface
public interface PartitionTask {

  /**
   * Processes the partition. Returning normally publishes what is below the output folder.
   *
   * @throws BadDataException to park the partition now
   * @throws NotReadyException to try again later without spending an attempt
   * @throws Exception for anything worth another attempt
   */
  void run(TaskContext context) throws Exception;
}
