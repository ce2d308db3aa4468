package dev.tidemark.worker.embedded;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process that may outlive the one that started it, found again by pid and start: a pid alone is
 * reused by the system, and may then be anybody's.
 *
 * @param started milliseconds since the epoch, 0 where the system does not tell
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record ServiceProcess(String name, long pid, long started) {
  /** The system derives the start from its boot time, which moves when its clock is set. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  static ServiceProcess of(String name, ProcessHandle handle) {
    return new ServiceProcess(
        name, handle.pid(), handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
  }

  /** This very process, if it is alive. */
  Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(
            handle ->
                handle
                    .info()
                    .startInstant()
                    .map(start -> Math.abs(start.toEpochMilli() - started))
                    .filter(difference -> difference <= TOLERANCE.toMillis())
                    .isPresent());
  }

  /** Asks it to end, and after a while makes it end. */
  void end() {
    find().ifPresent(ServiceProcess::end);
  }

  static void end(ProcessHandle handle) {
    handle.destroy();
    if (!ends(handle, PATIENCE)) {
      handle.destroyForcibly();
      ends(handle, PATIENCE);
    }
  }

  /** Whether the process ends within the time. Looks often: the JDK does not for a stranger. */
  static boolean ends(ProcessHandle handle, Duration within) {
    long giveUp = System.nanoTime() + within.toNanos();
    while (handle.isAlive()) {
      if (System.nanoTime() - giveUp > 0 || !pause()) {
        return false;
      }
    }
    return true;
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
