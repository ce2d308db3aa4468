package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.testing.FaultyProxy;
import dev.tidemark.testing.S3Server;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Exports of several accounts, each into its own bucket with its own key, as its row says. */
class AccountExportsTest {
  private static final S3Server SERVER = S3Server.start();
  private static final Bucket ACME = SERVER.bucket("accounts-acme");
  private static final String UNUSED_SECRET = "never-to-be-seen-anywhere-9d1f";
  private static final String ACCOUNT_KEY = "never-to-be-seen-anywhere-either-3c07";
  private static final String ACME_OUTSIDE = new AccountKey(ACCOUNT_KEY).of("acme");
  private static EmbeddedPostgres shop;
  private static FaultyProxy readOnly;

  @TempDir Path folder;
  @TempDir Path secrets;

  @BeforeAll
  static void makeShop() throws IOException, SQLException {
    readOnly = new FaultyProxy(SERVER.port());
    readOnly.plan(
        FaultyProxy.Fault.DENIED,
        Integer.MAX_VALUE,
        head -> head.matches("(?s)(PUT|POST|DELETE) .*"));
    shop = EmbeddedPostgres.start();
    execute(
        """
        create table events (customer text, id bigint, day date, internal boolean);
        insert into events
        select customer, n, '2026-01-01'::date + n % 8, n = 8
          from unnest(array['acme', 'gone', 'reader']) as customer, generate_series(1, 16) n;
        create table destination (customer text, bucket text, prefix text, endpoint text, secret text);
        insert into destination values
          ('acme', 'accounts-acme', 'from-tidemark', 'SERVER', 'KEY'),
          ('gone', 'accounts-gone', null, 'SERVER', 'KEY'),
          ('reader', 'accounts-acme', 'reader', 'PROXY', 'KEY'),
          ('nobody', 'accounts-acme', 'nobody', 'SERVER', 'UNUSED')
        """
            .replace("SERVER", SERVER.endpoint())
            .replace("PROXY", readOnly.endpoint())
            .replace("KEY", S3Server.SECRET_KEY)
            .replace("UNUSED", UNUSED_SECRET));
  }

  @AfterAll
  static void close() throws IOException {
    shop.close();
    readOnly.close();
    ACME.close();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = shop.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Trial trial() throws IOException {
    Path key = Files.writeString(secrets.resolve("account.key"), ACCOUNT_KEY);
    return Trial.with(
        folder,
        """
        connections:
          shop: {jdbc: "URL"}
          customers:
            s3:
              connection: shop
              sql: |
                select bucket, prefix, endpoint, true as path_style, 'ACCESS' as access_key,
                       secret as secret_key
                  from destination where customer = :account
        pipelines:
          - name: events
            partitions: {every: day, start: 2026-01-01, end: 2026-01-09}
            slices: [{customer: [acme, gone, reader]}]
            account: customer
            account-id: {keyed-hash: "${file:ACCOUNT_KEY}"}
            breaker: {after: 2, pause: 1h}
            limits: {parallel: 2}
            task:
              export:
                connection: shop
                query: |
                  select id, day as on_day from events
                  where customer = :slice_customer and day >= :start and day < :end
                    and not internal
                  order by id
                left-out: |
                  select 'internal', count(*) from events
                  where customer = :slice_customer and day >= :start and day < :end and internal
                format: ndjson
                columns: [{name: id, type: bigint}, {name: on_day, type: date}]
            output: {location: "connection:customers:{slice.customer}/exports"}
        """
            .replace("URL", shop.getJdbcUrl("postgres", "postgres"))
            .replace("ACCESS", S3Server.ACCESS_KEY)
            .replace("ACCOUNT_KEY", key.toString()));
  }

  private static List<String> keys() {
    return ACME.client().listObjectsV2(list -> list.bucket(ACME.name())).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  private static JsonNode manifest(String day) throws IOException {
    String key =
        "from-tidemark/exports/events/customer=" + ACME_OUTSIDE + "/dt=" + day + "/_manifest.json";
    return new ObjectMapper()
        .readTree(
            ACME.client().getObjectAsBytes(get -> get.bucket(ACME.name()).key(key)).asByteArray());
  }

  // B17, B24, B40, B41, c-J9
  @Test
  void anAccountThatRefusesIsLeftAloneAndTheOthersAreServed() throws Exception {
    Trial trial = trial();
    List<String> said = new ArrayList<>();

    Trial.Ran checked = said(said, trial.json("check-connections", "customers"));
    assertThat(checked.exit()).as(checked.out()).isEqualTo(3);
    assertThat(checked.json().path("connections"))
        .extracting(one -> one.path("name").asText() + " " + one.path("ok").asBoolean())
        .containsExactly("customers:acme true", "customers:gone false", "customers:reader false");
    assertThat(checked.out())
        .contains("cannot write", "s3:PutObject", "cannot delete", "make the bucket");

    JsonNode swept = said(said, trial.json("sweep", "events")).json();
    assertThat(swept.path("completed").asInt()).as(swept.toString()).isEqualTo(8);
    // Each of the two others was tried until its breaker opened, and what ran by then.
    assertThat(swept.path("claimed").asInt()).as(swept.toString()).isBetween(12, 14);
    assertThat(keys())
        .allMatch(
            key -> key.startsWith("from-tidemark/exports/events/customer=" + ACME_OUTSIDE + "/"));

    JsonNode status = said(said, trial.json("status")).json().at("/pipelines/0");
    assertThat(status.path("left_alone"))
        .extracting(account -> account.path("account").asText())
        .containsExactly("gone", "reader");
    JsonNode explained =
        said(said, trial.json("explain", "events", "2026-01-01", "--slice", "customer=gone"))
            .json();
    assertThat(explained.at("/reasons/0/code").asText()).isEqualTo("account_limit");
    assertThat(explained.at("/reasons/0/detail").asText())
        .contains("left alone", "make the bucket", "retry");

    reexport(trial, said);
    assertNowhere(said, S3Server.SECRET_KEY);
    assertNowhere(said, UNUSED_SECRET);
    assertNowhere(said, ACCOUNT_KEY);
  }

  /** B5, B17: a range again, by the same path; its manifests say why there are fewer rows. */
  private void reexport(Trial trial, List<String> said) throws Exception {
    assertThat(manifest("2026-01-02").at("/source/previous").isNull()).isTrue();
    execute("update events set internal = true where id = 1");

    Trial.Ran again =
        said(
            said,
            trial.json(
                "backfill",
                "events",
                "--from",
                "2026-01-01",
                "--to",
                "2026-01-02",
                "--slice",
                "customer=acme",
                "--mode",
                "all",
                "--wait"));
    assertThat(again.json().path("completed").asInt()).as(again.out()).isEqualTo(2);
    JsonNode manifest = manifest("2026-01-02");
    assertThat(manifest.path("rows").asInt()).isEqualTo(1);
    JsonNode source = manifest.path("source");
    assertThat(source.at("/previous/rows").asInt()).isEqualTo(2);
    assertThat(source.at("/previous/same_definition").asBoolean()).isTrue();
    assertThat(source.at("/rows_by_account/" + ACME_OUTSIDE).asInt()).isEqualTo(1);
    assertThat(source.at("/left_out").toString())
        .isEqualTo("[{\"reason\":\"internal\",\"rows\":1}]");
  }

  private static Trial.Ran said(List<String> said, Trial.Ran ran) {
    said.add(ran.out());
    said.add(ran.err());
    return ran;
  }

  /** Not in what was said, in the ledger, in Temporal's history, or in the bucket. */
  private void assertNowhere(List<String> said, String secret) throws IOException {
    assertThat(said).noneMatch(text -> text.contains(secret));
    byte[] wanted = secret.getBytes(StandardCharsets.UTF_8);
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.filter(Files::isRegularFile).toList())
          .as("files with the secret")
          .isNotEmpty()
          .noneMatch(file -> holds(file, wanted));
    }
    for (String key : keys()) {
      assertThat(
              ACME.client()
                  .getObjectAsBytes(get -> get.bucket(ACME.name()).key(key))
                  .asUtf8String())
          .doesNotContain(secret);
    }
  }

  private static boolean holds(Path file, byte[] wanted) {
    try {
      String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      return content.contains(new String(wanted, StandardCharsets.ISO_8859_1));
    } catch (IOException vanished) {
      return false;
    }
  }
}
