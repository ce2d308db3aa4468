package dev.tidemark.activities.task;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A command and everything that it starts. Java cannot make process groups; {@code setsid} can, and
 * since it replaces itself by the command, the command stays the worker's direct child. Where there
 * is no setsid the descendants are followed instead.
 */
final class ProcessGroup {
  private static final boolean HAS_SETSID = isOnPath("setsid");
  private static final long LOOK_SECONDS = 1;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long POLL_MILLIS = 50;

  private final Process process;
  private final boolean grouped;
  private final Set<ProcessHandle> seen = new LinkedHashSet<>();

  /** What was started with the arguments of {@link #launch}. */
  ProcessGroup(Process process) {
    this(process, HAS_SETSID);
  }

  /**
   * @param grouped whether the process leads a group of its own
   */
  ProcessGroup(Process process, boolean grouped) {
    this.process = process;
    this.grouped = grouped;
  }

  /** The arguments that start a command as a group of its own. */
  static List<String> launch(List<String> command) {
    if (!HAS_SETSID) {
      return command;
    }
    List<String> launched = new ArrayList<>(command.size() + 1);
    launched.add("setsid");
    launched.addAll(command);
    return launched;
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv("PATH");
    return path != null
        && Arrays.stream(path.split(File.pathSeparator))
            .anyMatch(folder -> new File(folder, program).canExecute());
  }

  InputStream output() {
    return process.getInputStream();
  }

  /** The exit value of the command itself. */
  int waitFor() throws InterruptedException {
    if (grouped) {
      return process.waitFor();
    }
    // A descendant whose parent has ended can no longer be found: look while it can.
    while (!process.waitFor(LOOK_SECONDS, TimeUnit.SECONDS)) {
      look();
    }
    return process.exitValue();
  }

  private void look() {
    process.descendants().forEach(seen::add);
  }

  /** Ends what is left of the group: asks, and after five seconds insists. */
  void end() {
    if (process.isAlive()) {
      look();
    }
    if (!signal("TERM")) {
      return;
    }
    long asked = System.nanoTime();
    boolean interrupted = false;
    while (!interrupted && System.nanoTime() - asked < PATIENCE_NANOS) {
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (!isAlive()) {
        break;
      }
    }
    if (isAlive()) {
      look();
      signal("KILL");
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isAlive() {
    return process.isAlive()
        || seen.stream().anyMatch(ProcessHandle::isAlive)
        || (grouped && signalGroup("0"));
  }

  /** Sends a signal to all that is left; false if nothing is. */
  private boolean signal(String name) {
    boolean force = name.equals("KILL");
    boolean any = grouped && signalGroup(name);
    seen.add(process.toHandle());
    for (ProcessHandle handle : seen) {
      if (handle.isAlive()) {
        any |= force ? handle.destroyForcibly() : handle.destroy();
      }
    }
    return any;
  }

  /** The shell's own kill: the program of that name is not everywhere. */
  private boolean signalGroup(String name) {
    try {
      Process kill =
          new ProcessBuilder(
                  "sh", "-c", "kill -s \"$1\" -- \"-$2\"", "sh", name, Long.toString(process.pid()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return waitUninterruptibly(kill) == 0;
    } catch (IOException e) {
      // No shell: the descendants that were seen are all that can be ended.
      return false;
    }
  }

  private static int waitUninterruptibly(Process process) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return process.waitFor();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
