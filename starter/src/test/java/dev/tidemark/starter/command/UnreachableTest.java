package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** contracts, section 1: exit code 3, with the address, within 15 s and without a stack trace. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnreachableTest {
  @TempDir Path folder;

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void assertUnreachable(Trial.Ran ran, int port) {
    assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(3);
    assertThat(ran.json().at("/error/code").asText()).isEqualTo("unreachable");
    assertThat(ran.json().at("/error/message").asText()).contains(String.valueOf(port));
    assertThat(ran.err()).doesNotContain("\tat ");
  }

  @Test
  void aPostgreSqlThatIsNotThereExitsWith3() throws IOException {
    int port = closedPort();
    Trial trial =
        Trial.with(
            folder, "ledger: {url: \"jdbc:postgresql://127.0.0.1:" + port + "/t\"}\n" + Trial.DAYS);

    assertUnreachable(trial.json("status"), port);
    assertUnreachable(trial.json("migrate"), port);
  }

  @Test
  void aTemporalThatIsNotThereExitsWith3() throws IOException {
    int port = closedPort();
    Trial trial =
        Trial.with(folder, "temporal: {address: \"127.0.0.1:" + port + "\"}\n" + Trial.DAYS);

    assertUnreachable(trial.json("sweep", "days"), port);
  }

  /** Connections are accepted by its backlog, and nobody ever answers. */
  private static ServerSocket silentPort() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void whatAcceptsAndNeverAnswersIsNotThereEither() throws IOException {
    try (ServerSocket silent = silentPort()) {
      int port = silent.getLocalPort();
      Trial ledger =
          Trial.with(
              folder,
              "ledger: {url: \"jdbc:postgresql://127.0.0.1:" + port + "/t\"}\n" + Trial.DAYS);
      assertUnreachable(ledger.json("status"), port);
      Trial temporal =
          Trial.with(folder, "temporal: {address: \"127.0.0.1:" + port + "\"}\n" + Trial.DAYS);
      assertUnreachable(temporal.json("apply"), port);
    }
  }

  @Test
  void aDatabaseOfAConnectionThatIsNotThereExitsWith3() throws IOException {
    int port = closedPort();
    Trial trial =
        Trial.with(
            folder,
            "connections: {shop: {jdbc: \"jdbc:postgresql://127.0.0.1:"
                + port
                + "/t\"}}\n"
                + Trial.DAYS);

    Trial.Ran ran = trial.json("check-connections", "shop");

    assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(3);
    assertThat(ran.json().at("/connections/0/ok").asBoolean()).isFalse();
  }

  // contracts, section 1: usage errors are found before anything else
  @Test
  void wrongUsageIsFoundBeforeAnUnreachableService() throws IOException {
    Trial trial =
        Trial.with(
            folder,
            "ledger: {url: \"jdbc:postgresql://127.0.0.1:" + closedPort() + "/t\"}\n" + Trial.DAYS);

    assertThat(trial.run("explain", "days", "2026-07").exit()).isEqualTo(2);
  }
}
