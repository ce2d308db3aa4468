package dev.tidemark.worker.cluster;

import dev.tidemark.worker.embedded.TestPrograms;
import dev.tidemark.workflows.sweep.WorkflowIds;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Temporal development server with its state in a file, as {@code tidemark dev} starts it; it may
 * be killed, and started again at the same address.
 */
final class TemporalProcess implements Processes.Owned {
  private static final int STARTS = 3;

  private final ProcessBuilder command;
  private final int port;
  private Process process;

  TemporalProcess(Path folder) throws Exception {
    int[] ports = TestPrograms.ports();
    this.port = ports[0];
    this.command =
        new ProcessBuilder(
                List.of(
                    TestPrograms.temporal().toString(),
                    "server",
                    "start-dev",
                    "--ip=127.0.0.1",
                    "--port=" + ports[0],
                    "--ui-port=" + ports[1],
                    "--log-level=error",
                    "--ui-disable-news-fetch",
                    "--dynamic-config-value=history.transferProcessorMaxPollRPS=1000",
                    "--db-filename=" + folder.resolve("temporal.db"),
                    "--sqlite-pragma=journal_mode=WAL",
                    "--sqlite-pragma=synchronous=OFF",
                    "--search-attribute=" + WorkflowIds.PIPELINE_ATTRIBUTE + "=Keyword",
                    "--search-attribute=" + WorkflowIds.TRIGGER_ATTRIBUTE + "=Keyword"))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve("temporal.log").toFile()));
    this.process = start();
  }

  /**
   * Returns as soon as it accepts connections. It takes ports of its own choice too, each free a
   * moment before: if somebody was quicker it ends, and is started again.
   */
  private Process start() throws IOException {
    for (int start = 1; ; start++) {
      Process started = command.start();
      if (TestPrograms.isOpened(port, started)) {
        return started;
      }
      if (start == STARTS) {
        throw new AssertionError("Temporal's server does not start: " + command.command());
      }
    }
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Returns when it accepts connections again. */
  void startAgain() throws IOException {
    process = start();
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
