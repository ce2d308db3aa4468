package dev.tidemark.worker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A worker in a JVM of its own. */
final class WorkerProcess implements Processes.Owned {
  static final String STARTED = "started";
  private static final int NEVER = Integer.MAX_VALUE;

  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  /** Starts one; it may still be starting. What it logs is in a file of the days' name. */
  static WorkerProcess start(String temporal, String ledger, ManyDays days) throws IOException {
    return start(NEVER, "", temporal, ledger, days);
  }

  /** The same, one that has a version of the deployment that is named after the days. */
  static WorkerProcess startBuild(String build, String temporal, String ledger, ManyDays days)
      throws IOException {
    return start(NEVER, build, temporal, ledger, days);
  }

  /** The same, one that gets stuck in every partition after so many. */
  static WorkerProcess startStuckAfter(
      int partitions, String temporal, String ledger, ManyDays days) throws IOException {
    return start(partitions, "", temporal, ledger, days);
  }

  private static WorkerProcess start(
      int partitions, String build, String temporal, String ledger, ManyDays days)
      throws IOException {
    return new WorkerProcess(
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                temporal,
                ledger,
                days.name(),
                String.valueOf(days.days()),
                String.valueOf(partitions),
                build)
            .redirectError(Redirect.appendTo(new File("target", days.name() + ".log")))
            .start());
  }

  /** Waits until it polls its task queue. */
  WorkerProcess awaitStarted() throws IOException {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(output.readLine()).isEqualTo(STARTED);
    return this;
  }

  /** How the ledger's attempts begin to name it. */
  String identity() {
    return process.pid() + "@";
  }

  /** {@code kill -9}. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** {@code kill}, as a deployment does it: returns whether it ended within the time. */
  boolean terminate(Duration within) throws InterruptedException {
    process.destroy();
    return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
