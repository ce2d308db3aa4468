package dev.tidemark.activities.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TestWorker;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Attempts in a process of their own, one after the other. It sends itself a signal at a point of
 * the protocol, and says the outcome if it lives to see one. Ends with whoever started it.
 */
final class AttemptProcess implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Process process;
  private final Path log;

  private AttemptProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

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

  /** Starts one, which waits for its orders. */
  static AttemptProcess start(Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(AttemptProcess.class.getName());
    return new AttemptProcess(
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
        log);
  }

  /** Has it make an attempt; does not wait. */
  void attempt(Order order) throws IOException {
    say(MAPPER.writeValueAsString(order));
  }

  /** Lets an attempt go on beyond its point, in a process that has woken. */
  void goOn() throws IOException {
    say("");
  }

  private void say(String line) throws IOException {
    process.outputWriter().append(line).append('\n').flush();
  }

  /** Waits until the attempt that was left at the point is over. */
  String outcome(Point point) throws IOException {
    String begin = said(point);
    while (true) {
      Optional<String> line = printed().lines().filter(said -> said.startsWith(begin)).findFirst();
      if (line.isPresent()) {
        return line.get().substring(begin.length());
      }
      assertThat(isAlive()).as(printed()).isTrue();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private static String said(Point point) {
    return "OUTCOME at " + point + ": ";
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The exit code. */
  int waitFor() throws InterruptedException {
    return process.waitFor();
  }

  /** What it has printed so far. */
  String printed() throws IOException {
    return Files.readString(log);
  }

  /** Has no more orders for it; returns the exit code. */
  int end() throws IOException, InterruptedException {
    process.outputWriter().close();
    return waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      Order order = MAPPER.readValue(line, Order.class);
      PartitionOutcome outcome = run(order, orders);
      System.out.println(said(order.point()) + outcome.kind());
    }
  }

  private static PartitionOutcome run(Order order, BufferedReader orders) throws Exception {
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
                      stores.open(location), order.point(), () -> signal(order.signal(), orders)),
              Path.of(order.folder()));
      worker.runs(order.output().task());
      return worker.run(order.claim());
    }
  }

  /**
   * Returns when, and if, it is told to go on: after a signal was sent a process may still run for
   * a moment.
   */
  private static void signal(String name, BufferedReader orders) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(ProcessHandle.current().pid()))
          .inheritIO()
          .start()
          .waitFor();
      orders.readLine();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
