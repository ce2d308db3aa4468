package dev.tidemark.activities.crash;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TestWorker;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One attempt in a process of its own, which sends itself a signal at a point of the protocol.
 * Prints the outcome, if it lives to see one.
 */
final class AttemptProcess {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private AttemptProcess() {}

  /**
   * What it does.
   *
   * @param signal {@code KILL} or {@code STOP}
   */
  record Order(
      String ledger,
      String folder,
      StoreAddress store,
      Claim claim,
      Point point,
      String signal,
      Output output) {}

  /** What the task leaves: so many parts, which say so. */
  record Output(String run, int parts) {
    PartitionTask task() {
      return context -> {
        for (int i = 0; i < parts; i++) {
          Files.writeString(
              context.output().resolve("part" + i + ".txt"), WatchingReader.part(run, i, parts));
        }
      };
    }
  }

  static Process start(Order order, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(AttemptProcess.class.getName(), MAPPER.writeValueAsString(order)));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  public static void main(String[] arguments) throws Exception {
    Order order = MAPPER.readValue(arguments[0], Order.class);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(order.ledger());
    config.setUsername("postgres");
    config.setMaximumPoolSize(2);
    try (HikariDataSource ledger = new HikariDataSource(config);
        StoreAddress.Opened stores = order.store().open(Path.of(order.folder()))) {
      TestWorker worker =
          TestWorker.on(
              ledger,
              location ->
                  new Interrupted(
                      stores.open(location), order.point(), () -> signal(order.signal())),
              Path.of(order.folder()));
      worker.runs(order.output().task());
      PartitionOutcome outcome = worker.run(order.claim());
      System.out.println("OUTCOME " + outcome.kind());
    }
  }

  /** Returns when, and if, somebody lets the process go on. */
  private static void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(ProcessHandle.current().pid()))
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
