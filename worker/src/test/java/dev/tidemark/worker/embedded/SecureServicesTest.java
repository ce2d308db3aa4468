package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.worker.configuration.TemporalSettings;
import dev.tidemark.worker.embedded.Services.Need;
import dev.tidemark.worker.embedded.ServicesRequest.Schema;
import dev.tidemark.worker.metrics.Metrics;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.SweepReport;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS to PostgreSQL, and to Temporal with a certificate of the worker's own. */
@Timeout(120)
class SecureServicesTest {
  @TempDir static Path folder;
  private static Certificate server;
  private static Certificate client;
  private static EmbeddedPostgres postgres;
  private static TlsProxy temporal;

  @BeforeAll
  static void start() throws Exception {
    server = Certificate.in(folder, "server");
    client = Certificate.in(folder, "client");
    postgres =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(TestPrograms.postgres().toFile())
            .setServerConfig("ssl", "on")
            .setServerConfig("ssl_cert_file", server.certificate().toString())
            .setServerConfig("ssl_key_file", server.key().toString())
            .start();
    String[] address = TestServices.temporalAddress().split(":", 2);
    temporal = new TlsProxy(Integer.parseInt(address[1]), server, client);
  }

  @AfterAll
  static void stop() throws Exception {
    temporal.close();
    postgres.close();
  }

  @Test
  void aSweepRunsOverTlsFromEndToEnd() throws Exception {
    String name = "secure-" + UUID.randomUUID().toString().substring(0, 8);
    Pipeline pipeline =
        Pipeline.named(name)
            .daily(ZoneOffset.UTC)
            .from("2026-01-01")
            .until("2026-01-06")
            .task(context -> {})
            .build();
    int before = temporal.through();
    try (Services services = open(ledgerUrl(server), withCertificate())) {
      assertThat(encrypted(services)).isTrue();
      new Definitions(services.ledger()).register(pipeline.definition(), "test");
      services.closeFirst(
          TidemarkWorker.start(
              services.client(),
              services.ledger(),
              new WorkerSetup(
                  name,
                  folder,
                  Map.of(),
                  List.of(pipeline.definition()),
                  new Bindings(Map.of(name, pipeline.task().orElseThrow()), Map.of()),
                  Duration.ofSeconds(5))));
      TidemarkClient tidemark = new TidemarkClient(services.client(), name);

      SweepReport report =
          tidemark.awaitSweep(tidemark.startSweep(name, null, "once"), Duration.ofSeconds(60));

      assertThat(report.completed()).isEqualTo(5);
    }
    assertThat(temporal.through()).isGreaterThan(before);
  }

  @Test
  void aWorkerWithoutACertificateDoesNotGetThrough() throws Exception {
    TemporalTarget target =
        Objects.requireNonNull(
            TemporalTarget.of(
                new TemporalSettings(temporal.address(), null, "tidemark"),
                variables(
                    Map.of("TEMPORAL_TLS_SERVER_CA_CERT_PATH", server.certificate().toString()))));

    assertThatThrownBy(() -> TemporalLink.connect(target, Duration.ofSeconds(1), Metrics.none()))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining(temporal.address());
  }

  @Test
  void aLedgerThatSomebodyElseVouchesForIsNotBelieved() {
    assertThatThrownBy(() -> open(ledgerUrl(client), withCertificate()))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining("cannot reach the ledger at jdbc:postgresql://")
        .hasMessageNotContaining("sslrootcert");
  }

  private static Map<String, String> withCertificate() {
    return Map.of(
        "TEMPORAL_TLS_SERVER_CA_CERT_PATH", server.certificate().toString(),
        "TEMPORAL_TLS_CLIENT_CERT_PATH", client.certificate().toString(),
        "TEMPORAL_TLS_CLIENT_KEY_PATH", client.key().toString());
  }

  private static String ledgerUrl(Certificate trusted) {
    return "jdbc:postgresql://127.0.0.1:"
        + postgres.getPort()
        + "/postgres?user=postgres&sslmode=verify-full&sslrootcert="
        + trusted.certificate();
  }

  private static Services open(String ledgerUrl, Map<String, String> more) throws Exception {
    return Services.open(
        Trial.configured(folder, ledgerUrl, temporal.address()),
        ServicesRequest.of(Need.LEDGER_AND_TEMPORAL).with(Schema.MIGRATED),
        new Surroundings(variables(more), Trial.surroundings().tools()),
        System.err::println);
  }

  private static Map<String, String> variables(Map<String, String> more) {
    Map<String, String> variables = new HashMap<>(Trial.surroundings().variables());
    variables.putAll(more);
    return variables;
  }

  private static boolean encrypted(Services services) throws Exception {
    try (Connection connection = services.ledger().getConnection();
        Statement statement = connection.createStatement();
        ResultSet answer =
            statement.executeQuery(
                "select ssl from pg_catalog.pg_stat_ssl where pid = pg_backend_pid()")) {
      return answer.next() && answer.getBoolean(1);
    }
  }
}
