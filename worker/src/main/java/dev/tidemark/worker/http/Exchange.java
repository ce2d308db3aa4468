package dev.tidemark.worker.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.tidemark.worker.access.Access;
import dev.tidemark.worker.access.Caller;
import dev.tidemark.worker.access.Presented;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From a request to its answer: finds the route, lets it pass the guard, asks it, sends. */
final class Exchange implements HttpHandler {
  private static final Logger log = LoggerFactory.getLogger(Exchange.class);

  private static final int MAX_BODY = 64 * 1024;
  private static final int MAX_QUERY = 8 * 1024;

  /** Requests at work at once: few, since each may take a connection of the worker's pool. */
  private static final int AT_ONCE = 6;

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Semaphore working = new Semaphore(AT_ONCE, true);
  private final Access access;
  private final Guard guard;
  private final List<Route> routes;
  private final Faults faults;

  Exchange(Access access, List<Route> routes, Faults faults) {
    this.access = access;
    this.guard = new Guard(access);
    this.routes = List.copyOf(routes);
    this.faults = faults;
  }

  /** A route, and what stands in its braces. */
  private record Found(Route route, Map<String, String> steps) {}

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(exchange, answer(exchange));
    }
  }

  private Response answer(HttpExchange exchange) {
    try {
      Found found = find(exchange);
      Caller caller = access.identify(presented(exchange));
      guard.check(
          found.route(), found.steps().get(Route.PIPELINE), caller, exchange.getRequestHeaders());
      return handled(found.route(), request(exchange, found, caller));
    } catch (HttpFailure failure) {
      return failure.response();
    } catch (Exception thrown) {
      HttpFailure failure = faults.of(thrown);
      if (failure.status() >= 500) {
        log.warn("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), thrown);
      }
      return failure.response();
    }
  }

  /** What needs no access costs nothing, and is answered however busy the others are. */
  private Response handled(Route route, Request request) throws Exception {
    if (route.need() == Need.NOTHING) {
      return route.handler().handle(request);
    }
    if (!working.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new HttpFailure(
          503, "busy", null, AT_ONCE + " requests are being answered; ask again in a few seconds");
    }
    try {
      return route.handler().handle(request);
    } finally {
      working.release();
    }
  }

  private Found find(HttpExchange exchange) {
    List<String> steps =
        Route.steps(exchange.getRequestURI().getRawPath()).stream().map(Exchange::decoded).toList();
    boolean known = false;
    for (Route route : routes) {
      Optional<Map<String, String>> match = route.match(steps);
      if (match.isPresent() && route.method().name().equals(exchange.getRequestMethod())) {
        return new Found(route, match.get());
      }
      known |= match.isPresent();
    }
    if (known) {
      throw new HttpFailure(
          405, "usage", null, exchange.getRequestMethod() + " is not possible here");
    }
    throw HttpFailure.notFound("there is nothing at " + exchange.getRequestURI().getPath());
  }

  private static Request request(HttpExchange exchange, Found found, Caller caller)
      throws IOException {
    String body = found.route().method() == Method.POST ? body(exchange) : "";
    return new Request(
        found.steps(),
        query(exchange.getRequestURI().getRawQuery()),
        caller,
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        body);
  }

  private static String body(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) {
      throw new HttpFailure(413, "usage", null, "the body may have " + MAX_BODY + " bytes");
    }
    return new String(body, StandardCharsets.UTF_8);
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> values = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return values;
    }
    if (raw.length() > MAX_QUERY) {
      throw HttpFailure.invalid(null, "the URL's parameters may have " + MAX_QUERY + " characters");
    }
    for (String pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      if (values.put(name, value) != null) {
        throw HttpFailure.invalid(name, name + " is there twice; keep one");
      }
    }
    return values;
  }

  private static String decoded(String text) {
    try {
      String decoded = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
      // PostgreSQL's text cannot hold it, and nothing that is looked for has it.
      if (decoded.indexOf('\0') >= 0) {
        throw HttpFailure.invalid(null, "'" + text + "' has a character NUL in it; leave it out");
      }
      return decoded;
    } catch (IllegalArgumentException e) {
      throw HttpFailure.invalid(null, "'" + text + "' is not percent-encoded UTF-8");
    }
  }

  private static Presented presented(HttpExchange exchange) {
    return new Presented() {
      @Override
      public InetAddress peer() {
        return exchange.getRemoteAddress().getAddress();
      }

      @Override
      public @Nullable String header(String name) {
        List<String> said = exchange.getRequestHeaders().get(name);
        return said != null && said.size() == 1 ? said.get(0) : null;
      }
    };
  }

  private static void send(HttpExchange exchange, Response response) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    SecurityHeaders.set(headers);
    headers.set("Content-Type", response.type());
    headers.set("Cache-Control", "no-cache");
    if (response.status() == 401) {
      headers.set("WWW-Authenticate", "Bearer");
    }
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    String tag = tag(body);
    headers.set("ETag", tag);
    if (response.status() == 200
        && tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
      exchange.sendResponseHeaders(304, -1);
      return;
    }
    exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  /** By content: a page that asks again gets what it has already as a 304. */
  private static String tag(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
      return '"' + HexFormat.of().formatHex(digest, 0, 16) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
