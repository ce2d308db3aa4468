package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What tests that start servers of their own need: the programs, and free ports. */
public final class TestPrograms {
  private static final Duration START = Duration.ofSeconds(60);

  private TestPrograms() {}

  /** Temporal's program. */
  public static Path temporal() throws ServiceUnavailableException {
    return new TemporalProgram(Trial.surroundings(), System.err::println)
        .find()
        .orElseThrow(() -> new AssertionError("no Temporal server program, and none to be had"));
  }

  /** Where PostgreSQL's programs are unpacked, once for all tests. */
  public static Path postgres() throws IOException {
    return Files.createDirectories(Trial.surroundings().tools().resolve("postgres"));
  }

  /** Two different ports that were free a moment ago. */
  public static int[] ports() throws IOException {
    return Ports.two();
  }

  /** Waits until the process accepts connections at the port; false if it has ended. */
  public static boolean isOpened(int port, Process process) {
    Ports.awaitOpen(port, process, START);
    return process.isAlive();
  }
}
