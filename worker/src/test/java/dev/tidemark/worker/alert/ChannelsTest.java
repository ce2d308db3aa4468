package dev.tidemark.worker.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.tidemark.activities.alert.AlertRule;
import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to reach people: what a receiver gets, and what becomes of its answer. */
class ChannelsTest {
  private static final Message MESSAGE =
      new Message(
          Message.Kind.ALERT,
          AlertRule.FRESHNESS,
          "sales",
          Instant.parse("2026-01-03T02:00:00Z"),
          1,
          List.of(new Message.Subject("2026-01-02", "", "", "it's <late>")));

  @TempDir Path folder;
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private volatile int answer = 204;
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          received.add(
              exchange.getRequestHeaders().getFirst("Authorization")
                  + " "
                  + exchange.getRequestHeaders().getFirst("Tidemark-Notification")
                  + " "
                  + body);
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    server.createContext("/silent", exchange -> await());
    server.setExecutor(threads);
    server.start();
  }

  private void await() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void close() {
    end.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  @Test
  void aWebhookGetsTheMessageAsJsonWithItsNumberAndToken() throws Exception {
    webhook("/hook").send(7, MESSAGE);
    assertThat(received.take())
        .startsWith("Bearer t0ken 7 {\"kind\":\"alert\",\"rule\":\"freshness\"")
        .contains("\"text\":\"sales: 2026-01-02 overdue: it's <late>\"");
  }

  @Test
  void whatAWebhookMayAcceptLaterIsTriedAgainAndTheRestIsNot() {
    answer = 503;
    assertThatThrownBy(() -> webhook("/hook").send(1, MESSAGE))
        .isInstanceOf(IOException.class)
        .hasMessage("127.0.0.1 answered 503");
    answer = 429;
    assertThatThrownBy(() -> webhook("/hook").send(1, MESSAGE)).isInstanceOf(IOException.class);
    answer = 302;
    assertThatThrownBy(() -> webhook("/hook").send(1, MESSAGE))
        .isInstanceOf(Channel.RefusedException.class);
    answer = 404;
    assertThatThrownBy(() -> webhook("/hook").send(1, MESSAGE))
        .isInstanceOf(Channel.RefusedException.class)
        .hasMessage("127.0.0.1 answered 404");
  }

  // A receiver that accepts and says nothing holds up nobody for longer than was said
  @Test
  void aWebhookThatDoesNotAnswerIsGivenUpInTime() {
    assertThatThrownBy(() -> webhook("/silent").send(1, MESSAGE))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("127.0.0.1 did not answer in");
  }

  // The URL of a webhook is a secret, and so is its token
  @Test
  void noTextOfASettingOrAnErrorHoldsASecret() {
    ChannelSettings.Webhook settings =
        new ChannelSettings.Webhook(
            URI.create("http://127.0.0.1:1/s3cret"), "t0ken", Duration.ofSeconds(5));
    assertThat(settings.toString()).isEqualTo("Webhook[127.0.0.1]");
    Channel unreachable = channel(settings);
    assertThatThrownBy(() -> unreachable.send(1, MESSAGE))
        .hasMessage("cannot reach 127.0.0.1: ConnectException");
  }

  @Test
  void aCommandGetsTheMessageOnItsStandardInputAndInItsEnvironment() throws Exception {
    command(
            5,
            "sh",
            "-c",
            "cat > got; echo \" $TIDEMARK_NOTIFICATION $TIDEMARK_KIND $TIDEMARK_RULE"
                + " $TIDEMARK_PIPELINE $TIDEMARK_TEXT\" >> got")
        .send(9, MESSAGE);
    assertThat(Files.readString(folder.resolve("got")))
        .startsWith("{\"kind\":\"alert\"")
        .endsWith(" 9 alert freshness sales sales: 2026-01-02 overdue: it's <late>\n");
  }

  @Test
  void aCommandSaysByItsExitCodeWhetherToTryAgain() {
    assertThatThrownBy(() -> command(5, "sh", "-c", "exit 3").send(1, MESSAGE))
        .isInstanceOf(IOException.class)
        .hasMessage("the command exited with 3");
    assertThatThrownBy(() -> command(5, "sh", "-c", "exit 65").send(1, MESSAGE))
        .isInstanceOf(Channel.RefusedException.class);
    assertThatThrownBy(() -> command(5, "no-such-program").send(1, MESSAGE))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aCommandThatDoesNotEndIsEndedWithWhatItStarted() throws Exception {
    assertThatThrownBy(
            () -> command(1, "sh", "-c", "sleep 600 & echo $! > child; wait").send(1, MESSAGE))
        .hasMessage("the command did not end in PT1S");
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    ProcessHandle.of(child).ifPresent(process -> process.onExit().join());
    assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
  }

  private Channel webhook(String path) {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    return channel(new ChannelSettings.Webhook(url, "t0ken", Duration.ofSeconds(1)));
  }

  private Channel command(int seconds, String... words) {
    return channel(new ChannelSettings.Command(List.of(words), Duration.ofSeconds(seconds)));
  }

  private Channel channel(ChannelSettings settings) {
    return Channels.of(Map.of("x", settings), folder).values().iterator().next();
  }
}
