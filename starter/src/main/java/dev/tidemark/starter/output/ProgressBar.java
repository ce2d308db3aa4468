package dev.tidemark.starter.output;

import java.io.PrintWriter;

/** One line on a terminal that shows how far work is; closing it takes the line away. */
public final class ProgressBar implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final PrintWriter err;
  private final String label;
  private final boolean visible;

  ProgressBar(PrintWriter err, String label, boolean visible) {
    this.err = err;
    this.label = label;
    this.visible = visible;
  }

  /** Shows {@code done} of {@code total}; a total of 0 is one that is not known yet. */
  public void show(int done, int failed, int total) {
    if (!visible) {
      return;
    }
    int filled = total == 0 ? 0 : (int) Math.min(WIDTH, (long) WIDTH * done / total);
    err.print(CLEAR_LINE);
    err.printf(
        "%s [%s%s] %s%s",
        label,
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        total == 0 ? "planning" : done + " of " + total,
        failed == 0 ? "" : ", " + failed + " failed");
    err.flush();
  }

  @Override
  public void close() {
    if (visible) {
      err.print(CLEAR_LINE);
      err.flush();
    }
  }
}
