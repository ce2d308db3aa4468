package dev.tidemark.starter.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code tidemark dev} in a process of its own. */
final class DevProcess implements AutoCloseable {
  private static final Duration STOPPED = Duration.ofMinutes(1);

  private final Process process;
  private final Path log;

  private DevProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it, and waits until other commands can find its services. */
  static DevProcess start(Trial trial, Path log) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dtidemark.home=" + Trial.home(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--config",
            trial.config(),
            "dev");
    DevProcess dev =
        new DevProcess(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start(),
            log);
    Awaited.until("dev is ready", () -> dev.said().contains("ready;") || !dev.process.isAlive());
    if (!dev.process.isAlive()) {
      throw new AssertionError("dev did not get ready: " + dev.said());
    }
    return dev;
  }

  /** Sends SIGTERM; returns the exit code. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOPPED.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("dev did not stop: " + said());
    }
    return process.exitValue();
  }

  /** What it wrote so far. */
  String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
