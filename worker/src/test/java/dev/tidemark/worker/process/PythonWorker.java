package dev.tidemark.worker.process;

import dev.tidemark.worker.embedded.TestServices;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Objects;

/** The worker of the documentation, {@code deploy/examples/python/worker.py}, as a process. */
final class PythonWorker {
  private static final Path PROGRAM = Path.of("../deploy/examples/python/worker.py");

  private final ProcessBuilder command;
  private Process process;

  /**
   * @param folder in which it looks for its input
   */
  PythonWorker(Path folder, String taskQueue) throws IOException {
    String python =
        Objects.requireNonNull(
            System.getenv("TIDEMARK_PYTHON"),
            "TIDEMARK_PYTHON must name a Python with temporalio: see deploy/tools");
    command =
        new ProcessBuilder(python, PROGRAM.toAbsolutePath().normalize().toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(new File("target", taskQueue + ".log")));
    command.environment().put("TEMPORAL_ADDRESS", TestServices.temporalAddress());
    command.environment().put("TASK_QUEUE", taskQueue);
    process = command.start();
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  void startAgain() throws IOException {
    process = command.start();
  }
}
