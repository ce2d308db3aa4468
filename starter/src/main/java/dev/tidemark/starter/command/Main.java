package dev.tidemark.starter.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;

/** Entry point of the {@code tidemark} command. */
public final class Main {
  /** Read by logback.xml. */
  private static final String LOG_LEVEL = "tidemark.log.level";

  /** Set by the launcher, which can tell: {@code true} where standard error is a terminal. */
  private static final String TERMINAL = "tidemark.terminal";

  private static final List<String> TALKATIVE = List.of("--verbose", "dev", "worker");

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    if (Arrays.stream(arguments).anyMatch(TALKATIVE::contains)) {
      // Before the first logger is made.
      System.setProperty(LOG_LEVEL, "INFO");
    }
    System.exit(
        Assembly.commandLine(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                Boolean.getBoolean(TERMINAL),
                Clock.systemUTC(),
                System.getenv())
            .execute(arguments));
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
  }
}
