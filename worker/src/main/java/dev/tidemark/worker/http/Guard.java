package dev.tidemark.worker.http;

import com.sun.net.httpserver.Headers;
import dev.tidemark.worker.access.Access;
import dev.tidemark.worker.access.Caller;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What every request has to pass before its route is asked. A page of somebody else's, open in the
 * same browser, must not be able to act here: neither by a form or a script (origin, and a header
 * that only a script of this origin can set), nor by a name that it makes point to this machine
 * (the Host header).
 */
final class Guard {
  static final String REQUESTED_BY = "X-Tidemark";

  private static final Set<String> OWN = Set.of("same-origin", "none");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Access access;

  Guard(Access access) {
    this.access = access;
  }

  /**
   * Lets the request pass.
   *
   * @throws HttpFailure if it may not
   */
  void check(Route route, @Nullable String pipeline, Caller caller, Headers headers) {
    if (access.isOpen()) {
      requireLoopbackName(headers);
    }
    if (!route.need().isMetBy(caller, pipeline)) {
      throw refusal(route, pipeline, caller);
    }
    if (route.method() == Method.POST) {
      requireOwnOrigin(headers);
    }
  }

  private static HttpFailure refusal(Route route, @Nullable String pipeline, Caller caller) {
    if (caller.equals(Caller.NOBODY)) {
      return new HttpFailure(
          401,
          "unauthenticated",
          null,
          "say who you are: send a token as 'Authorization: Bearer ...', or come by the proxy");
    }
    return HttpFailure.forbidden(
        caller.name()
            + " may not "
            + (route.need() == Need.OPERATE ? "operate" : "view")
            + (pipeline == null ? " anything" : " '" + pipeline + "'"));
  }

  private static void requireLoopbackName(Headers headers) {
    String host = headers.getFirst("Host");
    if (host == null || !LOOPBACK.contains(withoutPort(host))) {
      throw HttpFailure.forbidden(
          "this page is open to its own machine only, by the names " + LOOPBACK);
    }
  }

  private static void requireOwnOrigin(Headers headers) {
    if (headers.getFirst(REQUESTED_BY) == null) {
      throw HttpFailure.forbidden(
          "a request that acts must have the header '" + REQUESTED_BY + ": 1'");
    }
    String site = headers.getFirst("Sec-Fetch-Site");
    String origin = headers.getFirst("Origin");
    boolean own =
        site != null
            ? OWN.contains(site)
            : origin == null || isOwn(origin, headers.getFirst("Host"));
    if (!own) {
      throw HttpFailure.forbidden("a page of another origin must not act here");
    }
  }

  private static boolean isOwn(String origin, @Nullable String host) {
    try {
      return host != null && host.equalsIgnoreCase(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String withoutPort(String host) {
    int port = host.lastIndexOf(':');
    return (port > host.lastIndexOf(']') ? host.substring(0, port) : host).toLowerCase(Locale.ROOT);
  }
}
