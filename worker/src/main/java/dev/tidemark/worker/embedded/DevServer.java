package dev.tidemark.worker.embedded;

import dev.tidemark.workflows.sweep.WorkflowIds;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Temporal's development server, as a process of its own. */
final class DevServer {
  private static final Duration START = Duration.ofSeconds(30);
  private static final int STARTS = 3;

  /**
   * It has one shard, and reads the queue from which workflow tasks are handed out at most 20 times
   * a second for each shard by default: every step of a workflow would wait up to 50 ms. A cluster
   * has hundreds of shards, and does not wait.
   */
  private static final String READS_PER_SECOND = "history.transferProcessorMaxPollRPS=1000";

  private DevServer() {}

  /**
   * Starts it, and returns as soon as it can be called.
   *
   * @param keeps whether its state outlives it, in {@code .tidemark/temporal.db}, and its address
   */
  static TemporalServer start(
      Path program, StateFolder state, Surroundings surroundings, boolean keeps)
      throws IOException {
    for (int start = 1; ; start++) {
      int[] ports = keeps ? Ports.sameTwo(state.file("temporal.ports")) : Ports.two();
      Process process = launch(command(program, state, surroundings, keeps, ports), state);
      Ports.awaitOpen(ports[0], process, START);
      // Between the choice of a free port and its use, anybody may take it.
      if (process.isAlive() || start == STARTS) {
        return server(process, ports, keeps);
      }
    }
  }

  private static List<String> command(
      Path program, StateFolder state, Surroundings surroundings, boolean keeps, int[] ports) {
    List<String> command = new ArrayList<>();
    // In its own session, so that Ctrl-C on the terminal ends our worker first and not this.
    surroundings.program("setsid").map(Path::toString).ifPresent(command::add);
    command.add(program.toString());
    command.addAll(List.of("server", "start-dev", "--ip", Ports.LOOPBACK));
    command.addAll(List.of("--port", String.valueOf(ports[0])));
    command.addAll(List.of("--ui-port", String.valueOf(ports[1])));
    command.addAll(List.of("--log-level", "error", "--ui-disable-news-fetch"));
    command.addAll(List.of("--dynamic-config-value", READS_PER_SECOND));
    for (String attribute :
        List.of(WorkflowIds.PIPELINE_ATTRIBUTE, WorkflowIds.TRIGGER_ATTRIBUTE)) {
      command.addAll(List.of("--search-attribute", attribute + "=Keyword"));
    }
    if (keeps) {
      command.addAll(List.of("--db-filename", state.file("temporal.db").toString()));
      // Without these a file is 2.7 times slower. The ledger, not this, is what must not be lost.
      command.addAll(List.of("--sqlite-pragma", "journal_mode=WAL"));
      command.addAll(List.of("--sqlite-pragma", "synchronous=OFF"));
    }
    return command;
  }

  private static Process launch(List<String> command, StateFolder state) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(state.file("temporal.log").toFile()))
            .start();
    state.remember(ServiceProcess.of("temporal", process.toHandle()));
    return process;
  }

  private static TemporalServer server(Process process, int[] ports, boolean keeps) {
    return new TemporalServer(
        Ports.LOOPBACK + ":" + ports[0],
        "http://" + Ports.LOOPBACK + ":" + ports[1],
        true,
        keeps
            ? () -> ServiceProcess.end(process.toHandle())
            // It would take seconds to leave in good order what nobody will see again.
            : () -> ServiceProcess.kill(process.toHandle()));
  }
}
