package dev.tidemark.worker.plugin;

import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.Readiness;

/** What a partition reads; a change of it makes the partition late. No match: not due. */
public final class Input {
  private Input() {}

  /** Files that match a glob with {@code {partition}} and {@code {slice.<dim>}} in it. */
  public static InputSpec files(String glob) {
    return new InputSpec.Files(glob, false);
  }

  /**
   * A query on a named connection that returns partition, version and one column per dimension;
   * {@code :from} and {@code :to} bound it.
   */
  public static InputSpec sql(String sql, String connection) {
    return new InputSpec.Sql(sql, connection, false);
  }

  /** The same window of another pipeline, once it is committed and about to stay as it is. */
  public static InputSpec upstream(String pipeline) {
    return upstream(pipeline, new Mapping.Same(), new Readiness.All());
  }

  /** Windows of another pipeline, once enough of them is there. */
  public static InputSpec upstream(String pipeline, Mapping mapping, Readiness ready) {
    return new InputSpec.Upstream(pipeline, mapping, ready);
  }

  /** Someone says that a partition's input changed. Never holds a partition back. */
  public static InputSpec push() {
    return new InputSpec.Push();
  }
}
