package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

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

  /**
   * Waits until the process accepts connections at the port. A client that is refused once tries
   * again no sooner than a second later. Returns too where the process has ended, the time is over
   * or the thread is interrupted: the client will say what is wrong.
   */
  static void awaitOpen(int port, Process process, Duration within) {
    long giveUp = System.nanoTime() + within.toNanos();
    try {
      while (!isOpen(port) && process.isAlive() && System.nanoTime() - giveUp < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      // Refused: not yet.
      return false;
    }
  }
}
