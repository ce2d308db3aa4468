package dev.tidemark.worker.plugin;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.workflows.pipeline.OutputSpec;

/** Where outputs go. A relative location is relative to the worker's base folder at run time. */
public final class Output {
  private Output() {}

  /** A folder per partition below the location, with parts and a manifest. */
  public static OutputSpec hive(String location) {
    return new OutputSpec.Hive(location);
  }

  /**
   * Exactly one file per partition, completed by an atomic move.
   *
   * @param path below the location, with {@code {start:yyyy/MM/dd}}, {@code {partition}} and {@code
   *     {slice.<dim>}} in it
   */
  public static OutputSpec file(String location, String path) {
    return new OutputSpec.File(location, path, Defaults.COMMIT);
  }

  /** The same, completed by a {@code .commit} file beside it: for stores without atomic moves. */
  public static OutputSpec fileWithMarker(String location, String path) {
    return new OutputSpec.File(location, path, OutputSpec.Commit.MARKER);
  }
}
