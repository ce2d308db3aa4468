package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Free ports of the loopback address, from below those that a system hands out by itself: from
 * there, any outgoing connection may take a port between its choice and its use, or while its
 * server is down for a moment.
 */
final class Ports {
  static final String LOOPBACK = "127.0.0.1";

  /** Linux hands out from 32768 on, the others from 49152 on. */
  static final int LOWEST = 20_000;

  static final int HIGHEST = 32_767;
  private static final int TRIES = 100;

  private Ports() {}

  /** Two different ports that were free a moment ago. */
  static int[] two() throws IOException {
    try (ServerSocket first = free();
        ServerSocket second = free()) {
      return new int[] {first.getLocalPort(), second.getLocalPort()};
    }
  }

  /** Chosen at random: whoever chooses at the same moment chooses another. */
  private static ServerSocket free() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        if (attempt == TRIES) {
          throw new BindException(
              "no free port found from %d to %d in %d tries: end what listens there"
                  .formatted(LOWEST, HIGHEST, TRIES));
        }
      }
    }
  }

  /**
   * The two in the file if they are free, else two others, kept there: what connects from
   * elsewhere, such as a worker of another SDK, finds a server again that was started anew.
   */
  static int[] sameTwo(Path file) throws IOException {
    if (Files.exists(file)) {
      String[] kept = Files.readString(file).trim().split(" ", -1);
      if (kept.length == 2 && isFree(kept[0]) && isFree(kept[1])) {
        return new int[] {Integer.parseInt(kept[0]), Integer.parseInt(kept[1])};
      }
    }
    int[] ports = two();
    Files.writeString(file, ports[0] + " " + ports[1] + "\n");
    return ports;
  }

  private static boolean isFree(String port) {
    try (ServerSocket socket =
        new ServerSocket(Integer.parseInt(port), 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort() == Integer.parseInt(port);
    } catch (IOException | IllegalArgumentException e) {
      // Somebody else has it, or it is none.
      return false;
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
      // Where nobody listens, a connection may get that very port as its own, and reach itself.
      return socket.getLocalPort() != port;
    } catch (IOException e) {
      // Refused: not yet.
      return false;
    }
  }
}
