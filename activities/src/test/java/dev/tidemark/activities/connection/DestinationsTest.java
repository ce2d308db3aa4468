package dev.tidemark.activities.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.connection.Destinations.Destination;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where the outputs of an account go, by its row (B40). */
final class DestinationsTest {
  private static final String SECRET = "hunter2-of-acme";

  private final LedgerTestDatabase database = LedgerTestDatabase.create();

  @BeforeEach
  void fill() {
    database.execute(
        """
        create table destination (customer text, bucket text, prefix text, access_key text,
          secret_key text)
        """);
    database.execute(
        "insert into destination values ('acme/1', 'acme', '/a/b/', 'AK', '" + SECRET + "')");
    database.execute("insert into destination values ('half', 'acme', null, 'AK', null)");
    database.execute("insert into destination values ('none', null, null, null, null)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Destinations destinations(String columns) {
    return new Destinations(
        "customers",
        database.dataSource(),
        "select " + columns + " from destination where customer = :account");
  }

  @Test
  void anAccountHasTheBucketOfItsRow() {
    try (Destinations destinations =
        destinations("bucket, prefix, 'eu-central-1' as region, access_key, secret_key")) {
      Connections connections =
          new Connections(Map.of(), Map.of(), Map.of("customers", destinations));

      // The account is written as it is in a path.
      Destination acme = connections.destination("customers:acme%2F1");
      assertThat(acme.prefix()).isEqualTo("a/b");
      assertThat(acme.bucket().address()).isEqualTo("s3://acme");
      assertThat(acme.toString()).doesNotContain(SECRET);
      assertThat(destinations.of("acme/1").bucket()).isSameAs(acme.bucket());

      database.execute("update destination set secret_key = 'another' where customer = 'acme/1'");
      assertThat(destinations.of("acme/1").bucket()).isNotSameAs(acme.bucket());
    }
  }

  @Test
  void anAccountWithoutABucketIsNamed() {
    try (Destinations destinations = destinations("bucket, access_key, secret_key")) {
      assertThatThrownBy(() -> destinations.of("nobody"))
          .isInstanceOfSatisfying(
              NoDestinationException.class, e -> assertThat(e.isOutage()).isFalse())
          .hasMessageContaining("'customers'")
          .hasMessageContaining("no bucket for account 'nobody'");
      assertThatThrownBy(() -> destinations.of("none")).hasMessageContaining("no bucket");
      assertThatThrownBy(() -> destinations.of("half"))
          .hasMessageContaining("only one of access_key and secret_key");
    }
  }

  @Test
  void aQueryThatReturnsSomethingElseIsRefusedWithoutItsValues() {
    try (Destinations destinations = destinations("bucket, secret_key as password")) {
      assertThatThrownBy(() -> destinations.of("acme/1"))
          .hasMessageContaining("a column 'password'")
          .hasMessageNotContaining(SECRET);
    }
    database.execute("insert into destination select * from destination");
    try (Destinations destinations = destinations("bucket")) {
      assertThatThrownBy(() -> destinations.of("acme/1")).hasMessageContaining("more than one row");
    }
  }
}
