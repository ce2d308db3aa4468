package dev.tidemark.testing;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A proxy in front of a server, on a port of its own: it shows faults that no server can be asked
 * to show. One request per connection; whatever has no fault passes as it is, so that signatures
 * stay right.
 */
public final class FaultyProxy implements AutoCloseable {
  private final ServerSocket socket;
  private final int server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "faulty-proxy");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Planned> faults = new CopyOnWriteArrayList<>();
  private final List<Consumer<String>> actions = new CopyOnWriteArrayList<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();

  /** Stands before the server at that port of this machine. */
  public FaultyProxy(int server) throws IOException {
    this.server = server;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  /** What becomes of a request. */
  public enum Fault {
    /** The server does it, and the answer is lost. */
    LOST_ANSWER,
    /** The server does not see it, and the connection breaks. */
    LOST_REQUEST,
    /** The answer breaks off in the middle of its body. */
    TRUNCATED,
    /** A byte of the request's body is another when it arrives. */
    CORRUPTED,
    /** 204, and the server does not see it. */
    NO_CONTENT,
    /** 403 AccessDenied. */
    DENIED,
    /** 503 SlowDown. */
    SLOW_DOWN,
    /** 404 NoSuchBucket. */
    NO_BUCKET,
    /** 409 ConditionalRequestConflict. */
    CONFLICT,
    /** 501 NotImplemented. */
    NOT_IMPLEMENTED,
    /** A listing that says that there is more, and not where. */
    NO_NEXT_PAGE
  }

  private static final class Planned {
    private final Predicate<String> request;
    private final Fault fault;
    private int times;

    Planned(Predicate<String> request, Fault fault, int times) {
      this.request = request;
      this.fault = fault;
      this.times = times;
    }

    synchronized boolean takes(String head) {
      if (times > 0 && request.test(head)) {
        times--;
        return true;
      }
      return false;
    }
  }

  /**
   * Plans a fault for the next requests of that kind.
   *
   * @param request tells them by their head: the request line and the headers
   */
  public void plan(Fault fault, int times, Predicate<String> request) {
    faults.add(new Planned(request, fault, times));
  }

  /** Does something with the heads of requests before they are passed on. */
  public void before(Consumer<String> action) {
    actions.add(action);
  }

  private void before(String head) {
    actions.forEach(action -> action.accept(head));
  }

  /** The requests that came by, as {@code METHOD /path?query}. */
  public List<String> requests() {
    return List.copyOf(seen);
  }

  public String endpoint() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        threads.execute(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      byte[] head = head(client.getInputStream());
      if (head.length == 0) {
        return;
      }
      String text = new String(head, StandardCharsets.ISO_8859_1);
      seen.add(text.substring(0, text.indexOf(" HTTP/")));
      byte[] body = client.getInputStream().readNBytes(length(text));
      before(text);
      @Nullable Fault fault = fault(text);
      if (fault == Fault.LOST_REQUEST) {
        return;
      }
      if (fault == Fault.CORRUPTED && body.length > 0) {
        body[body.length / 2] ^= 1;
      }
      byte @Nullable [] own = fault == null ? null : answer(fault);
      byte[] answer = own == null ? forward(text, body) : own;
      if (fault == Fault.LOST_ANSWER) {
        return;
      }
      int length = fault == Fault.TRUNCATED ? answer.length - bodyLength(answer) / 2 : answer.length;
      client.getOutputStream().write(answer, 0, length);
      client.getOutputStream().flush();
    } catch (IOException broken) {
      // As the client will see for itself.
    }
  }

  private @Nullable Fault fault(String head) {
    for (Planned planned : faults) {
      if (planned.takes(head)) {
        return planned.fault;
      }
    }
    return null;
  }

  private static byte @Nullable [] answer(Fault fault) {
    return switch (fault) {
      case DENIED -> error("403 Forbidden", "AccessDenied");
      case SLOW_DOWN -> error("503 Service Unavailable", "SlowDown");
      case NO_BUCKET -> error("404 Not Found", "NoSuchBucket");
      case CONFLICT -> error("409 Conflict", "ConditionalRequestConflict");
      case NOT_IMPLEMENTED -> error("501 Not Implemented", "NotImplemented");
      case NO_NEXT_PAGE ->
          answer("200 OK", "<Listing><IsTruncated>true</IsTruncated></Listing>");
      case NO_CONTENT ->
          "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.ISO_8859_1);
      case LOST_ANSWER, LOST_REQUEST, TRUNCATED, CORRUPTED -> null;
    };
  }

  private static byte[] error(String status, String code) {
    return answer(
        status, "<Error><Code>" + code + "</Code><Message>by the proxy</Message></Error>");
  }

  private static byte[] answer(String status, String body) {
    return ("HTTP/1.1 "
            + status
            + "\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private byte[] forward(String head, byte[] body) throws IOException {
    try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server)) {
      OutputStream out = new BufferedOutputStream(upstream.getOutputStream());
      String closing = head.replaceFirst("(?i)\r\nconnection:[^\r]*", "");
      out.write(
          closing
              .replaceFirst("\r\n", "\r\nConnection: close\r\n")
              .getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
      out.flush();
      return upstream.getInputStream().readAllBytes();
    }
  }

  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    for (int octet = in.read(); octet >= 0; octet = in.read()) {
      head.write(octet);
      matched = octet == "\r\n\r\n".charAt(matched) ? matched + 1 : octet == '\r' ? 1 : 0;
      if (matched == 4) {
        return head.toByteArray();
      }
    }
    return new byte[0];
  }

  private static int length(String head) {
    for (String line : head.split("\r\n", -1)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        return Integer.parseInt(line.substring(15).strip());
      }
    }
    return 0;
  }

  private static int bodyLength(byte[] answer) {
    return length(new String(answer, StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    socket.close();
    threads.shutdownNow();
  }
}
