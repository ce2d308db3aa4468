package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
  @TempDir Path folder;

  @Test
  void noPortIsChosenThatAnOutgoingConnectionMayTakeMeanwhile() throws IOException {
    for (int i = 0; i < 100; i++) {
      int[] ports = Ports.two();

      assertThat(ports[0]).isBetween(Ports.LOWEST, Ports.HIGHEST).isNotEqualTo(ports[1]);
      assertThat(ports[1]).isBetween(Ports.LOWEST, Ports.HIGHEST);
    }
  }

  @Test
  void aServerThatIsStartedAnewIsFoundWhereItWas() throws IOException {
    int[] first = Ports.sameTwo(file());

    assertThat(Ports.sameTwo(file())).isEqualTo(first);
  }

  @Test
  void aPortThatSomebodyElseHasTakenIsNotWaitedFor() throws IOException {
    int[] first = Ports.sameTwo(file());

    try (ServerSocket other = new ServerSocket(first[1], 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.sameTwo(file())).doesNotContain(other.getLocalPort());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "7 x", "0 0", "-1 -2", "99999 99999", "1 2 3"})
  void whatIsDamagedIsReplaced(String text) throws IOException {
    Files.writeString(file(), text);

    assertThat(Ports.sameTwo(file())).hasSize(2).isEqualTo(Ports.sameTwo(file()));
  }

  private Path file() {
    return folder.resolve("ports");
  }
}
