package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.PartSize;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What to do for one partition. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = TaskSpec.Command.class, name = "command"),
  @JsonSubTypes.Type(value = TaskSpec.Sql.class, name = "sql"),
  @JsonSubTypes.Type(value = TaskSpec.Export.class, name = "export"),
  @JsonSubTypes.Type(value = TaskSpec.Java.class, name = "java"),
  @JsonSubTypes.Type(value = TaskSpec.Activity.class, name = "activity"),
  @JsonSubTypes.Type(value = TaskSpec.Workflow.class, name = "workflow")
})
public sealed interface TaskSpec {
  /** The longest one attempt may take. */
  Duration timeout();

  /** A program and its arguments with {@code {partition}} and the like in them; no shell. */
  record Command(List<String> command, Duration timeout) implements TaskSpec {
    public Command {
      command = List.copyOf(command);
      if (command.isEmpty()) {
        throw new IllegalArgumentException("task.command must name a program");
      }
    }
  }

  /** One or more statements in one transaction; {@code replace} deletes what was there first. */
  record Sql(String sql, String connection, @Nullable Replace replace, Duration timeout)
      implements TaskSpec {}

  /** Deletes from {@code table} the rows that match {@code where} before the statement runs. */
  record Replace(String table, String where) {}

  /**
   * Writes what a query returns for the partition into files (contracts, section 5).
   *
   * @param load the scripts beside the files; null for none
   * @param leftOut a query of what the first one leaves out: a reason and a number of rows; null
   *     for none
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Export(
      String connection,
      String query,
      Dataset dataset,
      PartSize parts,
      @Nullable Load load,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String leftOut,
      Duration timeout)
      implements TaskSpec {
    /** Without a query of what is left out. */
    public Export(
        String connection,
        String query,
        Dataset dataset,
        PartSize parts,
        @Nullable Load load,
        Duration timeout) {
      this(connection, query, dataset, parts, load, null, timeout);
    }
  }

  /**
   * A PartitionTask in Java.
   *
   * @param type the class, or for a task given as an object the name it was registered under
   */
  record Java(String type, Duration timeout) implements TaskSpec {}

  /** What a worker of any Temporal SDK runs; begin, publish and settle stay with Tidemark. */
  sealed interface Foreign extends TaskSpec {
    /** The name under which that worker knows it. */
    String type();

    /** The task queue of that worker. */
    String taskQueue();

    /** How long it may wait for a worker. */
    Duration startWithin();
  }

  /**
   * An activity.
   *
   * @param heartbeatWithin the longest time without a heartbeat, which is how a dead worker is
   *     found
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Activity(
      String type,
      String taskQueue,
      Duration startWithin,
      Duration heartbeatWithin,
      Duration timeout)
      implements Foreign {}

  /** A workflow for each partition. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Workflow(String type, String taskQueue, Duration startWithin, Duration timeout)
      implements Foreign {}
}
