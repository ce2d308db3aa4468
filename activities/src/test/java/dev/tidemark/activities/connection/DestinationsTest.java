package dev.tidemark.activities.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.connection.Destinations.Destination;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

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

  // A thousand accounts cost a worker neither a thread nor a client each for good.
  @Test
  void onlyTheClientsUsedLastAreKept() {
    try (Destinations destinations =
        destinations("'b-' || customer as bucket, access_key, secret_key")) {
      database.execute(
          "insert into destination select n, null, null, 'AK', 'SK' from generate_series(1, 250) n");
      Bucket first = destinations.of("1").bucket();
      Bucket second = destinations.of("2").bucket();
      for (int account = 3; account <= 250; account++) {
        destinations.of(String.valueOf(account));
        assertThat(destinations.of("2").bucket()).isSameAs(second);
      }

      assertThat(destinations.of("1").bucket()).isNotSameAs(first);
    }
  }

  @Test
  void theClientsOfAllAccountsShareTheirThreads() {
    try (Destinations destinations =
        destinations(
            "'b-' || customer as bucket, 'http://127.0.0.1:1' as endpoint, access_key, secret_key")) {
      database.execute(
          "insert into destination select n, null, null, 'AK', 'SK' from generate_series(1, 3) n");
      for (String account : List.of("1", "2", "3")) {
        S3Client client = destinations.of(account).bucket().client();
        assertThatThrownBy(() -> client.headBucket(head -> head.bucket("b")))
            .isInstanceOf(SdkException.class);
      }

      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .noneMatch(name -> name.startsWith("sdk-"));
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
