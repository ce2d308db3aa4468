package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.export.Nasty;
import dev.tidemark.testing.FaultyProxy;
import dev.tidemark.testing.FaultyProxy.Fault;
import dev.tidemark.testing.S3Server;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A customer's bucket that stops taking an export: what was committed stays, whole. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LostStoreTest {
  private static final String TABLES =
      Nasty.TABLE + "create table copies as select generate_series(1, 3) as copy;";

  @TempDir Path folder;
  private FaultyProxy proxy;
  private Bucket direct;
  private PublishedDay day;

  @BeforeEach
  void open() throws Exception {
    S3Server server = S3Server.start();
    proxy = new FaultyProxy(server.port());
    direct = server.bucket("lost-" + UUID.randomUUID());
    day =
        new PublishedDay(
            folder,
            PublishedDay.bucket(direct.name(), proxy.endpoint()),
            TABLES,
            Nasty.export(
                "select n.* from nasty n, copies where :start < :end and :slice_unit <> ''",
                Nasty.COLUMNS,
                Format.PARQUET,
                null));
  }

  @AfterEach
  void close() throws Exception {
    day.close();
    direct.close();
    proxy.close();
  }

  /** Fails an export by these faults, and then has one without them. */
  private void failsAndComesBack(Fault fault, Predicate<String> request, String... why)
      throws Exception {
    assertThat(day.export().kind()).isEqualTo(Kind.COMMITTED);
    List<String> before = PublishedDay.keys(direct);
    day.ledger.database.execute("delete from copies where copy = 3");
    AtomicInteger on = new AtomicInteger(1);
    proxy.plan(fault, Integer.MAX_VALUE, head -> on.get() == 1 && request.test(head));

    PartitionOutcome outcome = day.export();

    assertThat(outcome.kind()).isEqualTo(Kind.NOT_READY);
    assertThat(outcome.detail()).contains(why);
    assertThat(PublishedDay.keys(direct)).isEqualTo(before);
    on.set(0);
    assertThat(PublishedDay.rows(PublishedDay.day(day.exports()))).isEqualTo(18);

    assertThat(day.export().kind()).isEqualTo(Kind.COMMITTED);
    Path published = PublishedDay.day(day.exports());
    assertThat(PublishedDay.rows(published)).isEqualTo(12);
    assertThat(Files.readString(published.resolve("_dataset.md"))).startsWith("# sales");
  }

  // B41, c-J9: the key may read, and may not write
  @Test
  void aReadOnlyKeyChangesNothingAndSaysSo() throws Exception {
    failsAndComesBack(
        Fault.DENIED,
        head -> !head.startsWith("GET ") && !head.startsWith("HEAD "),
        "403 AccessDenied",
        "check access-key and secret-key");
  }

  // B13, c-J3: gone after the second file
  @Test
  void aBucketThatVanishesMidwayLeavesWhatWasCommitted() throws Exception {
    AtomicInteger uploads = new AtomicInteger();
    failsAndComesBack(
        Fault.NO_BUCKET,
        head -> (head.startsWith("PUT ") ? uploads.incrementAndGet() : uploads.get()) > 2,
        "404 NoSuchBucket",
        "make the bucket, or correct its name");
  }
}
