package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL server that a data folder's {@code postmaster.pid} names. It outlives a JVM that
 * is killed; a start beside it would wait and fail.
 */
final class Postmaster {
  private static final Logger log = LoggerFactory.getLogger(Postmaster.class);
  private static final Duration FAST = Duration.ofSeconds(10);
  private static final Duration IMMEDIATE = Duration.ofSeconds(5);
  private static final long START_TOLERANCE_SECONDS = 10;

  private final Path pidFile;

  private Postmaster(Path data) {
    this.pidFile = data.resolve("postmaster.pid");
  }

  static Postmaster of(Path data) {
    return new Postmaster(data);
  }

  /** Ends the server, if there is one, and takes a file away that names no server any more. */
  void endLeftOver() throws IOException {
    Optional<ProcessHandle> server = find();
    if (server.isPresent()) {
      log.info("ending the PostgreSQL server {} that was left behind", server.get().pid());
      end(server.get());
    }
    // Else the pid may be another program's by now, and PostgreSQL would refuse to start.
    Files.deleteIfExists(pidFile);
  }

  /** The server, if it is alive. */
  Optional<ProcessHandle> find() throws IOException {
    try {
      return server(Files.readAllLines(pidFile));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Line 1 is the pid, line 3 the start in seconds since the epoch. */
  private static Optional<ProcessHandle> server(List<String> lines) {
    if (lines.size() < 3) {
      return Optional.empty();
    }
    long pid;
    long started;
    try {
      pid = Long.parseLong(lines.get(0).strip());
      started = Long.parseLong(lines.get(2).strip());
    } catch (NumberFormatException e) {
      log.warn("unreadable postmaster.pid is passed over", e);
      return Optional.empty();
    }
    return ProcessHandle.of(pid)
        .filter(ServiceProcess::runs)
        .filter(handle -> isPostgres(handle, started));
  }

  private static boolean isPostgres(ProcessHandle handle, long started) {
    Optional<String> program = handle.info().command();
    if (program.isPresent()) {
      Path name = Path.of(program.get()).getFileName();
      return name != null && name.toString().startsWith("postgres");
    }
    return handle
        .info()
        .startInstant()
        .filter(start -> Math.abs(start.getEpochSecond() - started) <= START_TOLERANCE_SECONDS)
        .isPresent();
  }

  /** Fast shutdown, then immediate (the next start recovers), then by force. */
  void end(ProcessHandle server) throws IOException {
    signal("INT", server);
    if (!ServiceProcess.ends(server, FAST)) {
      signal("QUIT", server);
      if (!ServiceProcess.ends(server, IMMEDIATE)) {
        ServiceProcess.end(server);
      }
    }
    if (ServiceProcess.runs(server)) {
      throw new IOException(
          "process " + server.pid() + " holds " + pidFile + " and cannot be ended; end it by hand");
    }
  }

  /** Java can send TERM only, which waits for clients that may never leave. */
  private static void signal(String name, ProcessHandle server) throws IOException {
    Process kill =
        new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + server.pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      kill.waitFor(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
