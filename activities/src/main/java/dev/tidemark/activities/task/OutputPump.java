package dev.tidemark.activities.task;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/**
 * Reads what a command prints, so that it never waits for a full pipe, and keeps its lines. A line
 * of any length takes bounded memory.
 */
final class OutputPump {
  private static final long GRACE_MILLIS = 1_000;

  private final InputStream output;
  private final Thread thread;

  private OutputPump(InputStream output, TaskRun run) {
    this.output = output;
    this.thread = new Thread(() -> pump(run), "tidemark-output-" + run.token());
    this.thread.setDaemon(true);
  }

  static OutputPump start(InputStream output, TaskRun run) {
    OutputPump pump = new OutputPump(output, run);
    pump.thread.start();
    return pump;
  }

  private void pump(TaskRun run) {
    StringBuilder line = new StringBuilder();
    char[] buffer = new char[8 * 1024];
    try (Reader reader = new InputStreamReader(output, StandardCharsets.UTF_8)) {
      for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
        for (int i = 0; i < n; i++) {
          if (buffer[i] == '\n') {
            run.log(line.toString());
            line.setLength(0);
          } else if (buffer[i] != '\r' && line.length() <= TaskLog.MAX_LINE) {
            line.append(buffer[i]);
          }
        }
      }
    } catch (IOException e) {
      run.log("(the rest of the output cannot be read: " + e.getMessage() + ")");
    }
    if (!line.isEmpty()) {
      run.log(line.toString());
    }
  }

  /**
   * Waits for what was printed, but not for a process that escaped and holds the pipe open: the
   * command itself has ended.
   */
  void finish() {
    try {
      thread.join(GRACE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
