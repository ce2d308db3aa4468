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
  private final ProcessBuilder command;
  private final String address;
  private Process process;

  TemporalProcess(Path folder) throws Exception {
    int[] ports = TestPrograms.ports();
    this.address = "127.0.0.1:" + ports[0];
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
                    "--db-filename=" + folder.resolve("temporal.db"),
                    "--sqlite-pragma=journal_mode=WAL",
                    "--sqlite-pragma=synchronous=OFF",
                    "--search-attribute=" + WorkflowIds.PIPELINE_ATTRIBUTE + "=Keyword",
                    "--search-attribute=" + WorkflowIds.TRIGGER_ATTRIBUTE + "=Keyword"))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve("temporal.log").toFile()));
    this.process = command.start();
  }

  String address() {
    return address;
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** It answers about a second later. */
  void startAgain() throws IOException {
    process = command.start();
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
