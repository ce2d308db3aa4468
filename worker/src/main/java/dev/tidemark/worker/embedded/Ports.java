package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Free ports of the loopback address. */
final class Ports {
  static final String LOOPBACK = "127.0.0.1";

  private Ports() {}

  /** Two different ports that were free a moment ago. */
  static int[] two() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket first = new ServerSocket(0, 1, loopback);
        ServerSocket second = new ServerSocket(0, 1, loopback)) {
      return new int[] {first.getLocalPort(), second.getLocalPort()};
    }
  }
}
