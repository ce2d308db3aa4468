package dev.tidemark.activities.task;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a task may know and use. */
public interface TaskContext {
  String pipeline();

  Window window();

  Slice slice();

  /** The attempt's fencing token: larger for each later attempt of this partition. */
  long token();

  /** Number of this attempt under its claim, from 1. */
  int attempt();

  /** The version of the inputs that was read before the task started; null where there is none. */
  @Nullable String inputVersion();

  /** Parameters of the backfill that asked for it. */
  Map<String, String> params();

  /** What relative paths are relative to: the configuration's folder, or the application's. */
  Path folder();

  /** An empty, private folder; what is in it at the end is published. */
  Path output();

  /** Keeps a line with the attempt; only the last ones are kept. */
  void log(String line);

  /**
   * Whether the attempt should end: cancelled, shut down, or no longer the newest. The thread is
   * interrupted too.
   */
  boolean isCancelled();
}
