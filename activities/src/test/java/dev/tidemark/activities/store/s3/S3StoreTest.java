package dev.tidemark.activities.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.OutputStoreContract;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.testing.S3Server;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The contract over HTTP, against a real server. */
class S3StoreTest extends OutputStoreContract {
  private static final S3Conditions CONDITIONS = new S3Conditions();

  private static final S3Server SERVER = S3Server.start();
  private static final Bucket BUCKET = SERVER.bucket("contract");

  private final String location = "exports-" + UUID.randomUUID();
  private final OutputStore store = new S3Store(BUCKET, location, CONDITIONS, Clock.systemUTC());

  @AfterAll
  static void close() {
    BUCKET.close();
  }

  @Override
  protected OutputStore store() {
    return store;
  }

  @Override
  protected void put(String name, String content) {
    BUCKET
        .client()
        .putObject(
            put -> put.bucket(BUCKET.name()).key(location + "/" + name),
            RequestBody.fromString(content));
  }

  @Override
  protected boolean tellsVersions() {
    return true;
  }

  @Test
  void findsOutThatTheServerHonoursConditions() throws IOException {
    assertThat(store.guarantees()).isEqualTo(new Guarantees(true, true));
    assertThat(names("")).isEmpty();
  }

  @Test
  void sendsLargeFilesInParts() throws IOException {
    byte[] content = new byte[40 * 1024 * 1024 + 1];
    new Random(7).nextBytes(content);
    try (Staging staging = stage(1)) {
      Path file = Files.write(staging.folder().resolve("large"), content);

      String digest = staging.add(file, "p/large");
      staging.promote(List.of("p/large"));

      assertThat(digest).isEqualTo(HexFormat.of().formatHex(Durably.sha256().digest(content)));
    }
    try (InputStream read = store.open("p/large")) {
      assertThat(Arrays.equals(read.readAllBytes(), content)).isTrue();
    }
  }

  // At most 10,000 parts, and nearly as small as that allows.
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 16 << 20, 160_000L << 20, (160_000L << 20) + 1, 5L << 40})
  void partsGrowWithTheFile(long size) {
    long part = Sending.partSize(size);

    assertThat((size + part - 1) / part).isLessThanOrEqualTo(10_000);
    assertThat(part).isBetween(16L << 20, Math.max(16L << 20, size / 10_000 + (1 << 20)));
  }

  @Test
  void refusesKeysThatAreTooLong() throws IOException {
    try (Staging staging = stage(1)) {
      assertThatThrownBy(() -> staging.add("text", "p/" + "x".repeat(1_100)))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REFUSED))
          .hasMessageContaining("allow 1024");
    }
  }

  // A bucket is often shared: only what is ours by its name is aborted.
  @Test
  void leavesTheUploadsOfOthersAlone() throws IOException {
    String foreign = location + "/p/day/somebody-elses.bin";
    BUCKET.client().createMultipartUpload(create -> create.bucket(BUCKET.name()).key(foreign));
    Duration any = Duration.ofDays(1).negated();

    assertThat(store.removeAbandoned(AREA, any)).isZero();
    assertThat(store.removeAbandoned(area("p/.*\\.bin"), any)).isEqualTo(1);
  }

  // With nothing in the location's name or the paths' beginning, any upload of the bucket is meant.
  @Test
  void leavesTheUploadsOfAWholeBucketAlone() throws IOException {
    String key = UUID.randomUUID() + ".csv";
    BUCKET.client().createMultipartUpload(create -> create.bucket(BUCKET.name()).key(key));
    OutputStore whole = new S3Store(BUCKET, "", CONDITIONS, Clock.systemUTC());
    StagingArea all = new StagingArea("_staging/p", "", Pattern.compile(".+"));

    assertThat(whole.removeAbandoned(all, Duration.ofDays(1).negated())).isZero();
  }

  @Test
  void whatATaskElsewhereLeavesIsFetchedAndTakenAwayWithThatOfEarlierAttempts() throws IOException {
    try (Staging shared = stage(7)) {
      assertThat(shared.share())
          .isEqualTo("s3://" + BUCKET.name() + "/" + location + "/p/_staging/2026-09-05-7/");
    }
    put("p/_staging/2026-09-05-6/a.csv", "of an earlier attempt");
    put("p/_staging/2026-09-05-7/a.csv", "one");
    put("p/_staging/2026-09-05-7/b/c.csv", "two");
    put("p/_staging/2026-09-05-8/a.csv", "of a later attempt");
    assertThat(names("p/")).isEmpty();

    try (Staging staging = stage(7)) {
      staging.take();
      assertThat(staging.isUsed()).isTrue();
      assertThat(staging.folder().resolve("a.csv")).hasContent("one");
      assertThat(staging.folder().resolve("b")).isEmptyDirectory();
    }

    assertThat(staged()).containsExactly(location + "/p/_staging/2026-09-05-8/a.csv");
    assertThat(store.removeAbandoned(AREA, Duration.ofDays(1))).isZero();
    assertThat(store.removeAbandoned(AREA, Duration.ofDays(1).negated())).isOne();
    assertThat(staged()).isEmpty();
  }

  private List<String> staged() {
    return BUCKET
        .client()
        .listObjectsV2(list -> list.bucket(BUCKET.name()).prefix(location + "/p/_staging/"))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  private static StagingArea area(String targets) {
    return new StagingArea("_staging/p", "p/", Pattern.compile(targets));
  }
}
