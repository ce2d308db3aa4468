package dev.tidemark.worker.embedded;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
        .filter(ServiceProcess::runs)
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
      kill(handle);
    }
  }

  /** Makes it end at once: for what keeps nothing. */
  static void kill(ProcessHandle handle) {
    handle.destroyForcibly();
    ends(handle, PATIENCE);
  }

  /**
   * Whether it runs. One that has ended keeps its pid until its parent has asked how, and is alive
   * to the JDK; an orphan's parent is process 1, which in a container asks late or never.
   */
  static boolean runs(ProcessHandle handle) {
    return handle.isAlive() && !isZombie(handle.pid());
  }

  private static boolean isZombie(long pid) {
    try {
      String stat =
          Files.readString(
              Path.of("/proc", String.valueOf(pid), "stat"), StandardCharsets.ISO_8859_1);
      // The state follows the program's name, which stands in brackets and may hold any.
      return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      // Gone by now, or a system without /proc, whose process 1 asks at once.
      return false;
    }
  }

  /** Whether the process ends within the time. Looks often: the JDK does not for a stranger. */
  static boolean ends(ProcessHandle handle, Duration within) {
    long giveUp = System.nanoTime() + within.toNanos();
    while (runs(handle)) {
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
