package dev.tidemark.worker.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.access.AccessSettings.Entry;
import dev.tidemark.worker.access.Grant;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.TestPrograms;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.page.PageServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What probes ask, on a page that lets nobody in without a token. */
@Timeout(60)
class HealthRoutesTest {
  private static final AccessSettings TOKENS =
      new AccessSettings(
          List.of(new Entry("olga", "0123456789abcdef", Grant.everywhere(Role.VIEW))), null);

  @Test
  void aWorkerWhoseLedgerAnswersIsReady() throws Exception {
    try (HealthRoutes health = HealthRoutes.watching(TestServices.ledger());
        PageServer server = serve(health)) {
      assertThat(get(server, "/health/live").statusCode()).isEqualTo(200);
      while (get(server, "/health/ready").statusCode() != 200) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(get(server, "/health/other").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aWorkerWithoutItsLedgerIsAliveAndNotReady() throws Exception {
    PGSimpleDataSource away = new PGSimpleDataSource();
    away.setURL("jdbc:postgresql://127.0.0.1:" + TestPrograms.ports()[0] + "/tidemark");
    try (HealthRoutes health = HealthRoutes.watching(away);
        PageServer server = serve(health)) {
      assertThat(get(server, "/health/live").statusCode()).isEqualTo(200);
      HttpResponse<String> answer = get(server, "/health/ready");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).isEqualTo("the ledger does not answer\n");
    }
  }

  // Probes have little patience, and a ledger that hangs has none of it
  @Test
  void aLedgerThatHangsKeepsNobodyWaiting() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PGSimpleDataSource hangs = new PGSimpleDataSource();
      hangs.setURL("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/tidemark");
      try (HealthRoutes health = HealthRoutes.watching(hangs);
          PageServer server = serve(health);
          Socket asked = silent.accept()) {
        assertThat(asked.isConnected()).isTrue();
        assertThat(get(server, "/health/ready").statusCode()).isEqualTo(503);
        assertThat(get(server, "/health/live").statusCode()).isEqualTo(200);
      }
    }
  }

  /** The health check of the container image is a script of bash. */
  @ParameterizedTest
  @CsvSource({"true, 0", "false, 1"})
  void theImagesHealthCheckAsksForLife(boolean served, int exit) throws Exception {
    try (HealthRoutes health = HealthRoutes.watching(TestServices.ledger());
        PageServer server = serve(health)) {
      int port = served ? URI.create(server.url()).getPort() : TestPrograms.ports()[0];
      ProcessBuilder check = new ProcessBuilder("bash", "../deploy/image/healthcheck");
      check.environment().put("TIDEMARK_PAGE_PORT", String.valueOf(port));
      Process process = check.redirectErrorStream(true).start();

      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(exit);
    }
  }

  private static PageServer serve(HealthRoutes health) throws Exception {
    return PageServer.start(
        new PageSettings("127.0.0.1", 0, TOKENS, null), "test", health.routes());
  }

  private static HttpResponse<String> get(PageServer server, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
