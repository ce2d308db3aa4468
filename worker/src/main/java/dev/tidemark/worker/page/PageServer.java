package dev.tidemark.worker.page;

import dev.tidemark.worker.access.Access;
import dev.tidemark.worker.access.UnsafeAddressException;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.http.HttpServer;
import dev.tidemark.worker.http.Route;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Serves the page, and whatever else a worker has to serve, until it is closed. */
public final class PageServer implements AutoCloseable {
  private static final int ANY = 0;

  private final HttpServer server;
  private final Access access;
  private volatile Runnable afterwards = () -> {};

  private PageServer(HttpServer server, Access access) {
    this.server = server;
    this.access = access;
  }

  /**
   * Takes the configured port, or the default one; where that is taken, and none is configured, any
   * that is free. Who connects waits until {@link #serve}.
   *
   * @param localUser who acts on a page that is open to its own machine, for the record
   * @throws UnsafeAddressException if others can reach the address and nothing keeps them out
   * @throws IOException if the address is not of this machine, or the configured port is taken
   */
  public static PageServer bind(PageSettings settings, String localUser)
      throws IOException, UnsafeAddressException {
    InetAddress address = InetAddress.getByName(settings.address());
    Access access = Access.to(address, settings.access(), localUser);
    return new PageServer(bind(address, settings), access);
  }

  private static HttpServer bind(InetAddress address, PageSettings settings) throws IOException {
    Integer port = settings.port();
    int first = port == null ? PageSettings.DEFAULT_PORT : port;
    try {
      return HttpServer.bind(new InetSocketAddress(address, first));
    } catch (BindException e) {
      if (port == null) {
        return HttpServer.bind(new InetSocketAddress(address, ANY));
      }
      throw new BindException(
          "the page cannot be served at %s port %d: %s; set page.address and page.port to what is free"
              .formatted(settings.address(), first, e.getMessage()));
    }
  }

  /** Starts to serve; once. */
  public void serve(List<Route> routes) {
    server.serve(access, routes, Page.faults());
  }

  /** Both at once. */
  public static PageServer start(PageSettings settings, String localUser, List<Route> routes)
      throws IOException, UnsafeAddressException {
    PageServer page = bind(settings, localUser);
    page.serve(routes);
    return page;
  }

  /** What is done once it is closed. */
  public void afterwards(Runnable what) {
    afterwards = what;
  }

  /** Where a browser finds it. */
  public String url() {
    InetSocketAddress address = server.address();
    InetAddress host = address.getAddress();
    String name = host.isAnyLocalAddress() ? "localhost" : host.getHostAddress();
    return "http://"
        + (host instanceof Inet6Address && !host.isAnyLocalAddress() ? "[" + name + "]" : name)
        + ":"
        + address.getPort();
  }

  @Override
  public void close() {
    server.close();
    afterwards.run();
  }
}
