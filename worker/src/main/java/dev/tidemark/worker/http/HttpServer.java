package dev.tidemark.worker.http;

import dev.tidemark.worker.access.Access;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves routes at one address, until it is closed. It is the JDK's own server: an application that
 * embeds the worker gets no second one on its class path. It speaks no TLS: a reverse proxy does.
 */
public final class HttpServer implements AutoCloseable {
  /** More than are at work at once: who asks whether the worker is alive waits for nobody. */
  private static final int THREADS = 64;

  private static final int BACKLOG = 64;

  static {
    // A client that sends or reads slowly must not keep a thread for ever; in seconds.
    bound("sun.net.httpserver.maxReqTime", "30");
    bound("sun.net.httpserver.maxRspTime", "60");
  }

  private final com.sun.net.httpserver.HttpServer server;
  private final ExecutorService threads;
  private volatile boolean serves;

  private HttpServer(com.sun.net.httpserver.HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Takes the address; who connects waits until {@link #serve}.
   *
   * @param address port 0 is any that is free
   * @throws IOException if the address is taken, or is not of this machine
   */
  public static HttpServer bind(InetSocketAddress address) throws IOException {
    com.sun.net.httpserver.HttpServer server =
        com.sun.net.httpserver.HttpServer.create(address, BACKLOG);
    AtomicInteger number = new AtomicInteger();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "http-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    return new HttpServer(server, threads);
  }

  /**
   * Starts to serve; once.
   *
   * @param access who is let in
   * @param routes the first that matches answers
   * @param faults what failures mean
   */
  public void serve(Access access, List<Route> routes, Faults faults) {
    serves = true;
    server.createContext("/", new Exchange(access, routes, faults));
    server.start();
  }

  private static void bound(String property, String seconds) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, seconds);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Answers no more; requests under way are cut off. */
  @Override
  public void close() {
    if (!serves) {
      // The JDK's server gives its port back only where it runs.
      server.start();
    }
    server.stop(0);
    threads.shutdownNow();
  }
}
