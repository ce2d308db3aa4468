package dev.tidemark.worker.embedded;

import org.jspecify.annotations.Nullable;

/**
 * A Temporal server of our own, running.
 *
 * @param address host:port
 * @param ui address of the Web UI, null where it has none
 * @param schedules whether it can keep schedules
 * @param stop ends it
 */
record TemporalServer(String address, @Nullable String ui, boolean schedules, Runnable stop)
    implements AutoCloseable {

  @Override
  public void close() {
    stop.run();
  }
}
