package dev.tidemark.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.worker.access.Access;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.access.Grant;
import dev.tidemark.worker.access.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for every route, on a server that is open to its own machine. */
class HttpServerTest {
  private final Semaphore slow = new Semaphore(0);
  private final CountDownLatch released = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() throws Exception {
    server = serve(AccessSettings.NONE);
  }

  private HttpServer serve(AccessSettings settings) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.bind(new InetSocketAddress(loopback, 0));
    server.serve(
        Access.to(loopback, settings, "root"),
        List.of(
            new Route(
                Method.GET,
                "/echo/{what}",
                Need.VIEW,
                request -> Response.text("text/plain", request.step("what"))),
            new Route(
                Method.POST,
                "/act",
                Need.OPERATE,
                request -> Response.text("text/plain", "done by " + request.caller().name())),
            new Route(
                Method.GET,
                "/slow",
                Need.VIEW,
                request -> {
                  slow.release();
                  released.await();
                  return Response.text("text/plain", "at last");
                }),
            new Route(
                Method.GET,
                "/alive",
                Need.NOTHING,
                request -> Response.text("text/plain", "alive")),
            new Route(
                Method.GET,
                "/fails",
                Need.NOTHING,
                request -> {
                  throw new IllegalStateException("hunter2");
                })),
        thrown -> new HttpFailure(500, "internal", null, "see the log"));
    return server;
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.close();
  }

  /** As it goes over the wire: the JDK's client would not send some of these headers. */
  private String send(String method, String path, String... headers) throws IOException {
    return send(server, method, path, headers);
  }

  private static String send(HttpServer server, String method, String path, String... headers)
      throws IOException {
    try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
      for (String header : headers) {
        request.append(header).append("\r\n");
      }
      request.append("Connection: close\r\nContent-Length: 0\r\n\r\n");
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      return String.join("\n", answer.lines().toList());
    }
  }

  @Test
  void aStepOfAPathIsHandedOnDecoded() throws Exception {
    assertThat(send("GET", "/echo/2026-11-01T01+0100%2F%C4%B0", "Host: localhost"))
        .startsWith("HTTP/1.1 200")
        .endsWith("2026-11-01T01+0100/İ");
    assertThat(send("GET", "/echo/%zz", "Host: localhost")).startsWith("HTTP/1.1 400");
  }

  @Test
  void aNameThatSomebodyMadePointToThisMachineIsNotServed() throws Exception {
    assertThat(send("GET", "/echo/x", "Host: evil.example")).startsWith("HTTP/1.1 403");
    for (String host : List.of("localhost:80", "127.0.0.1", "[::1]:8080", "LOCALHOST")) {
      assertThat(send("GET", "/echo/x", "Host: " + host)).as(host).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void anotherOriginCannotAct() throws Exception {
    String own = "Host: localhost:8080";
    String header = "X-Tidemark: 1";
    assertThat(send("POST", "/act", own, header)).endsWith("done by root");
    assertThat(send("POST", "/act", own, header, "Origin: http://localhost:8080"))
        .endsWith("done by root");
    assertThat(send("POST", "/act", own, header, "Sec-Fetch-Site: same-origin"))
        .endsWith("done by root");
    assertThat(send("POST", "/act", own)).startsWith("HTTP/1.1 403");
    assertThat(send("POST", "/act", own, header, "Origin: http://localhost:9090"))
        .startsWith("HTTP/1.1 403");
    assertThat(send("POST", "/act", own, header, "Origin: null")).startsWith("HTTP/1.1 403");
    assertThat(send("POST", "/act", own, header, "Sec-Fetch-Site: same-site"))
        .startsWith("HTTP/1.1 403");
  }

  // A proxy that adds its header to the caller's own: neither of the two is believed
  @Test
  void whoIsNamedTwiceIsNobody() throws Exception {
    AccessSettings proxy =
        new AccessSettings(
            List.of(
                new AccessSettings.Entry("alice", null, Grant.everywhere(Role.OPERATE)),
                new AccessSettings.Entry("bob", null, Grant.everywhere(Role.VIEW))),
            new AccessSettings.Proxy("X-User", Set.of(InetAddress.getLoopbackAddress())));
    try (HttpServer behind = serve(proxy)) {
      String act = "X-Tidemark: 1";
      assertThat(send(behind, "POST", "/act", "Host: page", act, "X-User: alice"))
          .endsWith("done by alice");
      assertThat(send(behind, "POST", "/act", "Host: page", act, "X-User: alice", "X-User: bob"))
          .startsWith("HTTP/1.1 401");
    }
  }

  // Liveness must not wait for whoever looks at the page
  @Test
  void whoeverAsksForLifeIsAnsweredHoweverBusyItIs() throws Exception {
    List<Thread> askers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Thread asker = new Thread(() -> assertThatCode(this::askSlowly).doesNotThrowAnyException());
      asker.start();
      askers.add(asker);
    }
    slow.acquire(6);

    assertThat(send("GET", "/alive", "Host: localhost")).endsWith("alive");
    assertThat(send("GET", "/echo/x", "Host: localhost"))
        .startsWith("HTTP/1.1 503")
        .contains("busy");
    released.countDown();
    for (Thread asker : askers) {
      asker.join();
    }
    assertThat(send("GET", "/echo/x", "Host: localhost")).endsWith("x");
  }

  private void askSlowly() throws IOException {
    assertThat(send("GET", "/slow", "Host: localhost")).endsWith("at last");
  }

  @Test
  void aFailureSaysNothingOfItself() throws Exception {
    assertThat(send("GET", "/fails", "Host: localhost"))
        .startsWith("HTTP/1.1 500")
        .contains("see the log")
        .doesNotContain("hunter2");
  }

  @Test
  void whatIsNotThereIsSaid() throws Exception {
    assertThat(send("GET", "/nothing", "Host: localhost")).startsWith("HTTP/1.1 404");
    assertThat(send("DELETE", "/echo/x", "Host: localhost")).startsWith("HTTP/1.1 405");
  }
}
