package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.TemporalSettings;
import dev.tidemark.worker.embedded.Services.Need;
import dev.tidemark.worker.embedded.ServicesRequest.Schema;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL or Temporal not there: said within 15 s, with address and way out. */
class UnavailableServicesTest {
  @TempDir Path folder;

  @Test
  @Timeout(15)
  void namesALedgerThatNobodyServes() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + Ports.two()[0] + "/tidemark";
    assertThatThrownBy(
            () -> open(Trial.configured(folder, url + "?password=secret", null), Need.LEDGER))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining(url)
        .hasMessageContaining("Start PostgreSQL there")
        .hasMessageNotContaining("secret");
  }

  @Test
  @Timeout(15)
  void givesUpOnALedgerThatSaysNothing() throws Exception {
    try (ServerSocket silent = silent()) {
      String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/tidemark";
      assertThatThrownBy(() -> open(Trial.configured(folder, url, null), Need.LEDGER))
          .isInstanceOf(ServiceUnavailableException.class)
          .hasMessageContaining(url);
    }
  }

  @Test
  @Timeout(15)
  void givesUpOnATemporalThatSaysNothing() throws Exception {
    TestServices.client();
    try (ServerSocket silent = silent()) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      assertThatThrownBy(
              () ->
                  open(
                      Trial.configured(folder, TestServices.ledgerUrl(), address),
                      Need.LEDGER_AND_TEMPORAL))
          .isInstanceOf(ServiceUnavailableException.class)
          .hasMessageContaining(address)
          .hasMessageContaining("TEMPORAL_ADDRESS");
    }
  }

  @Test
  @Timeout(15)
  void startsNoEmbeddedLedgerForATemporalThatIsNotThere() throws Exception {
    String address = "127.0.0.1:" + Ports.two()[0];
    assertThatThrownBy(
            () -> open(Trial.configured(folder, null, address), Need.LEDGER_AND_TEMPORAL))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining(address);
    assertThat(folder.resolve(".tidemark/postgres")).doesNotExist();
  }

  @Test
  @Timeout(15)
  void startsNoEmbeddedTemporalForALedgerThatIsNotThere() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + Ports.two()[0] + "/tidemark";
    assertThatThrownBy(() -> open(Trial.configured(folder, url, null), Need.LEDGER_AND_TEMPORAL))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining(url);
    assertThat(folder.resolve(".tidemark/temporal.log")).doesNotExist();
  }

  @Test
  @Timeout(60)
  void namesANamespaceThatDoesNotExist() {
    Configuration configuration =
        new Configuration(
            folder.resolve("tidemark.yaml"),
            new TemporalSettings(TestServices.temporalAddress(), "nowhere", "tidemark"),
            Trial.configured(folder, TestServices.ledgerUrl(), null).ledger(),
            Map.of(),
            List.of());
    assertThatThrownBy(() -> open(configuration, Need.LEDGER_AND_TEMPORAL))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining("'nowhere'")
        .hasMessageContaining("namespace create");
  }

  @Test
  @Timeout(60)
  void connectsToWhatIsConfiguredAndLeavesNothingBesideIt() throws Exception {
    Configuration configuration =
        Trial.configured(folder, TestServices.ledgerUrl(), TestServices.temporalAddress());
    try (Services services = open(configuration, Need.LEDGER_AND_TEMPORAL)) {
      assertThat(services.ownsWorker()).isFalse();
      assertThat(services.temporalIsEmbedded()).isFalse();
      assertThat(services.temporalHasSearchAttributes()).isTrue();
    }
    assertThat(folder).isEmptyDirectory();
  }

  // Temporal's own environment configuration
  @Test
  @Timeout(60)
  void findsTemporalInTheEnvironment() throws Exception {
    Surroundings surroundings =
        new Surroundings(
            Map.of("TEMPORAL_ADDRESS", TestServices.temporalAddress(), "HOME", "/nonexistent"),
            folder);
    try (Services services =
        Services.open(
            Trial.configured(folder, TestServices.ledgerUrl(), null),
            ServicesRequest.of(Need.LEDGER_AND_TEMPORAL),
            surroundings,
            notice -> {})) {
      assertThat(services.temporalAddress()).isEqualTo(TestServices.temporalAddress());
      assertThat(services.temporalIsEmbedded()).isFalse();
    }
  }

  @Test
  @Timeout(60)
  void refusesAConfiguredLedgerWithoutItsSchemaUnlessAskedToMigrate() throws Exception {
    try (Connection connection = TestServices.ledger().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("drop database if exists without_schema");
      statement.execute("create database without_schema");
    }
    Configuration configuration =
        Trial.configured(
            folder, TestServices.ledgerUrl().replace("/postgres?", "/without_schema?"), null);
    assertThatThrownBy(() -> open(configuration, Need.LEDGER))
        .isInstanceOf(ServiceUnavailableException.class)
        .hasMessageContaining("tidemark migrate");

    ServicesRequest migrating = ServicesRequest.of(Need.LEDGER).with(Schema.MIGRATED);
    Services.open(configuration, migrating, Trial.surroundings(), notice -> {}).close();
    open(configuration, Need.LEDGER).close();
  }

  private static ServerSocket silent() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static Services open(Configuration configuration, Need need)
      throws ServiceUnavailableException {
    return Services.open(
        configuration, ServicesRequest.of(need), Trial.surroundings(), notice -> {});
  }
}
