package dev.tidemark.worker.plugin;

import dev.tidemark.workflows.pipeline.InputSpec;

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

  /** Someone says that a partition's input changed. Never holds a partition back. */
  public static InputSpec push() {
    return new InputSpec.Push();
  }
}
