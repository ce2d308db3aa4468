package dev.tidemark.starter.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.workflows.payload.Payloads;
import java.io.PrintWriter;
import java.util.function.Supplier;

/** Standard output and standard error, as the global options want them. */
public final class Console {
  private final OutputOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean terminal;

  /**
   * @param terminal whether standard error is one, so that a progress bar makes sense
   */
  public Console(OutputOptions options, PrintWriter out, PrintWriter err, boolean terminal) {
    this.options = options;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** The result of a command: the view as JSON, or the text. */
  public void result(Object view, Supplier<String> text) {
    if (isJson()) {
      out.println(json(view));
    } else {
      String lines = text.get();
      out.print(lines.isEmpty() || lines.endsWith("\n") ? lines : lines + "\n");
    }
    out.flush();
  }

  /** The error that ends a command: as JSON on standard output, or as text on standard error. */
  public void error(ErrorView view) {
    if (isJson()) {
      out.println(json(view));
      out.flush();
    } else {
      err.println("error: " + view.error().message());
      err.flush();
    }
  }

  /** A line for people, besides the result. */
  public void notice(String line) {
    err.println(line);
    err.flush();
  }

  /** The stack trace of an error, where {@code --verbose} asks for it. */
  public void trace(Throwable error) {
    if (options.isVerbose()) {
      error.printStackTrace(err);
      err.flush();
    }
  }

  /** A progress bar; a silent one unless standard error is a terminal. */
  public ProgressBar progress(String label) {
    return new ProgressBar(err, label, terminal && options.hasProgress());
  }

  /** See {@link OutputOptions#readFormat}. */
  public void readFormat(String... arguments) {
    options.readFormat(arguments);
  }

  public boolean isJson() {
    return options.format() == OutputFormat.JSON;
  }

  public boolean isVerbose() {
    return options.isVerbose();
  }

  private static String json(Object view) {
    try {
      return Payloads.mapper().writeValueAsString(view);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write as JSON: " + view, e);
    }
  }
}
