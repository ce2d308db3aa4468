package dev.tidemark.starter.output;

import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The global options on output; accepted before and after the subcommand. */
public final class OutputOptions {
  private static final String OUTPUT = "--output";

  @Option(
      names = OUTPUT,
      paramLabel = "text|json",
      scope = ScopeType.INHERIT,
      description = "What to write to standard output: text (default) or json.")
  private OutputFormat format = OutputFormat.TEXT;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Log more, and show the stack trace of an error, on standard error.")
  private boolean verbose;

  @Option(names = "--no-progress", scope = ScopeType.INHERIT, description = "Show no progress bar.")
  private boolean noProgress;

  OutputFormat format() {
    return format;
  }

  boolean isVerbose() {
    return verbose;
  }

  boolean hasProgress() {
    return !noProgress;
  }

  /**
   * Takes the format from arguments that could not be parsed as a whole, so that a program that
   * asked for JSON gets its error as JSON.
   */
  void readFormat(String... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i].toLowerCase(Locale.ROOT);
      boolean next = argument.equals(OUTPUT) && i + 1 < arguments.length;
      String value =
          next ? arguments[i + 1] : argument.startsWith(OUTPUT + "=") ? after(argument) : "";
      if (value.equalsIgnoreCase(OutputFormat.JSON.name())) {
        format = OutputFormat.JSON;
      }
    }
  }

  private static String after(String argument) {
    return argument.substring(OUTPUT.length() + 1);
  }
}
