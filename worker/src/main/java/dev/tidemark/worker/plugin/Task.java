package dev.tidemark.worker.plugin;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are not Java objects. One attempt may take an hour; see {@link PipelineBuilder#task}.
 */
public final class Task {
  private Task() {}

  /** A program and its arguments with {@code {partition}} and the like in them; no shell. */
  public static TaskSpec command(String... command) {
    return new TaskSpec.Command(List.of(command), Defaults.TASK_TIMEOUT);
  }

  /** Statements on a named connection, in one transaction. */
  public static TaskSpec sql(String sql, String connection) {
    return new TaskSpec.Sql(sql, connection, null, Defaults.TASK_TIMEOUT);
  }

  /** The same, after deleting from {@code table} the rows that match {@code where}. */
  public static TaskSpec sql(String sql, String connection, String table, String where) {
    return new TaskSpec.Sql(
        sql, connection, new TaskSpec.Replace(table, where), Defaults.TASK_TIMEOUT);
  }

  /**
   * The rows that a query returns for the partition, in files of at most a million rows.
   *
   * @param load the scripts beside the files, null for none
   */
  public static TaskSpec export(
      String query, String connection, Dataset dataset, @Nullable Load load) {
    return new TaskSpec.Export(
        connection, query, dataset, PartSize.DEFAULT, load, Defaults.TASK_TIMEOUT);
  }

  /**
   * An activity on a task queue of your own, in any language (docs/any-sdk.md). It may wait ten
   * minutes for a worker, and must send a heartbeat each minute.
   */
  public static TaskSpec activity(String type, String taskQueue) {
    return new TaskSpec.Activity(
        type, taskQueue, Defaults.START_WITHIN, Defaults.HEARTBEAT_WITHIN, Defaults.TASK_TIMEOUT);
  }

  /** A workflow for each partition, on a task queue of your own, in any language. */
  public static TaskSpec workflow(String type, String taskQueue) {
    return new TaskSpec.Workflow(type, taskQueue, Defaults.START_WITHIN, Defaults.TASK_TIMEOUT);
  }
}
