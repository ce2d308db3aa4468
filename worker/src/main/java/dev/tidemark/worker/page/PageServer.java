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

  private PageServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to serve at the configured port, or at the default one; where that is taken, and none is
   * configured, at any that is free.
   *
   * @param localUser who acts on a page that is open to its own machine, for the record
   * @throws UnsafeAddressException if others can reach the address and nothing keeps them out
   * @throws IOException if the address is not of this machine, or the configured port is taken
   */
  public static PageServer start(PageSettings settings, String localUser, List<Route> routes)
      throws IOException, UnsafeAddressException {
    InetAddress address = InetAddress.getByName(settings.address());
    Access access = Access.to(address, settings.access(), localUser);
    Integer port = settings.port();
    int first = port == null ? PageSettings.DEFAULT_PORT : port;
    try {
      return new PageServer(serve(address, first, access, routes));
    } catch (BindException e) {
      if (port == null) {
        return new PageServer(serve(address, ANY, access, routes));
      }
      throw new BindException(
          "the page cannot be served at %s port %d: %s; set page.address and page.port to what is free"
              .formatted(settings.address(), first, e.getMessage()));
    }
  }

  private static HttpServer serve(InetAddress address, int port, Access access, List<Route> routes)
      throws IOException {
    return HttpServer.start(new InetSocketAddress(address, port), access, routes, Page.faults());
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
  }
}
