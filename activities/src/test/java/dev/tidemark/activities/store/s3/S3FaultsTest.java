package dev.tidemark.activities.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.activities.store.StoreException.Kind;
import dev.tidemark.activities.store.StoredText;
import dev.tidemark.testing.FaultyProxy;
import dev.tidemark.testing.FaultyProxy.Fault;
import dev.tidemark.testing.S3Server;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

/** What a network, and a store that has other troubles, does to the protocol. */
class S3FaultsTest {
  private static final String NAME = "faults";
  private static final S3Server SERVER = S3Server.start();
  private static final StagingArea AREA =
      new StagingArea("p/_staging", "p/", Pattern.compile("p/.*"));
  private static final int ALWAYS = Integer.MAX_VALUE;

  private final String location = "exports-" + UUID.randomUUID();
  private final Bucket direct = SERVER.bucket(NAME);
  private final FaultyProxy proxy;
  private final Bucket bucket;
  private final S3Store store;

  S3FaultsTest() throws IOException {
    proxy = new FaultyProxy(SERVER.port());
    bucket = S3Server.connection(NAME, proxy.endpoint(), S3Server.SECRET_KEY);
    store = new S3Store(bucket, location, new S3Conditions(), Clock.systemUTC());
  }

  @AfterEach
  void close() throws IOException {
    direct.close();
    bucket.close();
    proxy.close();
  }

  private static boolean completes(String head) {
    return head.startsWith("POST ") && head.contains("uploadId=");
  }

  private static boolean reads(String head) {
    return head.startsWith("GET ");
  }

  private Staging stage(long token) {
    return store.stage(new StagingId(AREA, "2026-09-05", token));
  }

  private void put(String name, String content) {
    direct
        .client()
        .putObject(
            put -> put.bucket(NAME).key(location + "/" + name), RequestBody.fromString(content));
  }

  private String text(String name) throws IOException {
    return store.read(name).map(StoredText::text).orElse("absent");
  }

  private List<String> uploads() {
    return direct
        .client()
        .listMultipartUploads(list -> list.bucket(NAME).prefix(location + "/"))
        .uploads()
        .stream()
        .map(upload -> upload.key())
        .toList();
  }

  private static void fails(Kind kind, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  // The lost answer to a promotion that happened: the repeated call finds the upload gone.
  @Test
  void aPromotionWhoseAnswerIsLostHasHappened() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add(Files.writeString(staging.folder().resolve("a"), "abc"), "p/a");
      proxy.plan(Fault.LOST_ANSWER, 1, S3FaultsTest::completes);

      staging.promote(List.of("p/a"));
    }
    assertThat(text("p/a")).isEqualTo("abc");
  }

  // The lost answer to the marker's write: the repeated call finds an object, which is its own.
  @Test
  void aMarkerWhoseAnswerIsLostIsItsOwn() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");
      proxy.plan(Fault.LOST_ANSWER, 1, S3FaultsTest::completes);

      assertThat(staging.promoteIfAbsent("p/m")).isTrue();
    }
    assertThat(text("p/m")).isEqualTo("marker");
    assertThat(uploads()).isEmpty();
  }

  @Test
  void aPromotionOfWhichEveryAnswerIsLostHasHappened() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");
      proxy.plan(Fault.LOST_ANSWER, ALWAYS, S3FaultsTest::completes);

      assertThat(staging.promoteIfAbsent("p/m")).isTrue();
    }
  }

  @Test
  void aPromotionThatNeverArrivedHasNotHappened() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");
      proxy.plan(Fault.LOST_REQUEST, 3, S3FaultsTest::completes);

      fails(Kind.UNREACHABLE, "cannot promote", () -> staging.promoteIfAbsent("p/m"));
      assertThat(text("p/m")).isEqualTo("absent");
      assertThat(staging.promoteIfAbsent("p/m")).as("and can be made up for").isTrue();
    }
  }

  // 412: somebody else's object stands, and the upload is aborted, or it would be paid for.
  @Test
  void aRefusedUploadIsAbortedAndCanBeMadeAgain() throws IOException {
    put("p/m", "another's");
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");

      assertThat(staging.promoteIfAbsent("p/m")).isFalse();
      assertThat(text("p/m")).isEqualTo("another's");
      assertThat(uploads()).as("only what is staged anew").hasSize(1);

      store.delete("p/m");
      assertThat(staging.promoteIfAbsent("p/m")).isTrue();
    }
    assertThat(text("p/m")).isEqualTo("marker");
    assertThat(uploads()).isEmpty();
  }

  // 409: another call was in the way; whoever asks again starts the upload anew.
  @Test
  void aConflictIsNoSuccess() throws IOException {
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");
      proxy.plan(Fault.CONFLICT, 1, S3FaultsTest::completes);

      boolean promoted = staging.promoteIfAbsent("p/m");

      assertThat(promoted).isEqualTo(text("p/m").equals("marker"));
      assertThat(promoted || staging.promoteIfAbsent("p/m")).isTrue();
    }
    assertThat(text("p/m")).isEqualTo("marker");
  }

  // A later attempt has aborted the upload: not there, and not a fault of the store.
  @Test
  void aPromotionOfWhatWasTakenAwayFailsByItself() throws IOException {
    try (Staging zombie = stage(1)) {
      zombie.add("zombie", "p/m");
      store.endEarlier(new StagingId(AREA, "2026-09-05", 2), zombie.uploads());

      assertThatThrownBy(() -> zombie.promoteIfAbsent("p/m"))
          .isInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("a later attempt");
    }
    assertThat(text("p/m")).isEqualTo("absent");
  }

  @Test
  void aShortStormIsSatOut() throws IOException {
    put("p/a", "abc");
    proxy.plan(Fault.SLOW_DOWN, 2, S3FaultsTest::reads);

    assertThat(text("p/a")).isEqualTo("abc");
  }

  // Told apart from an outage: asking less often helps.
  @Test
  void aLongStormIsThrottling() {
    put("p/a", "abc");
    proxy.plan(Fault.SLOW_DOWN, ALWAYS, head -> true);

    fails(Kind.THROTTLED, "SlowDown", () -> store.read("p/a"));
    fails(Kind.THROTTLED, "SlowDown", () -> store.walk("", null, object -> true));
  }

  @Test
  void aTextThatBreaksOffIsReadAgain() throws IOException {
    put("p/a", "abc".repeat(10_000));
    proxy.plan(Fault.TRUNCATED, 1, S3FaultsTest::reads);

    assertThat(text("p/a")).hasSize(30_000);
  }

  @Test
  void aContentThatBreaksOffIsNotTakenForAll() throws IOException {
    put("p/a", "abc".repeat(10_000));
    proxy.plan(Fault.TRUNCATED, ALWAYS, S3FaultsTest::reads);

    fails(Kind.UNREACHABLE, "cannot read", () -> store.read("p/a"));
    try (InputStream content = store.open("p/a")) {
      assertThatThrownBy(content::readAllBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("p/a");
    }
  }

  // A store that does not know a condition is told by its answer, too.
  @Test
  void aStoreThatRefusesConditionsIsDetected() throws IOException {
    proxy.plan(Fault.NOT_IMPLEMENTED, ALWAYS, S3FaultsTest::hasCondition);

    assertThat(store.guarantees()).isEqualTo(new Guarantees(false, false));
    try (Staging first = stage(1);
        Staging second = stage(2)) {
      first.add("first", "p/m");
      second.add("second", "p/m");
      assertThat(first.promoteIfAbsent("p/m")).isTrue();
      assertThat(second.promoteIfAbsent("p/m")).isFalse();
      store.delete("p/m");
      assertThat(second.promoteIfAbsent("p/m")).isTrue();
    }
    String version = store.read("p/m").orElseThrow().version();
    assertThat(store.deleteIfUnchanged("p/m", "\"another\"")).isFalse();
    assertThat(store.deleteIfUnchanged("p/m", version)).isTrue();
  }

  // The probe's first write is done, its answer lost, and the repeated call refused: honoured.
  @Test
  void aLostAnswerDoesNotMakeAStoreForgetItsConditions() throws IOException {
    proxy.plan(
        Fault.LOST_ANSWER, 1, head -> head.startsWith("PUT ") && head.contains("_tidemark-probe-"));

    assertThat(store.guarantees()).isEqualTo(new Guarantees(true, true));
    assertThat(probes()).isEmpty();
  }

  @Test
  void aProbeThatFailsLeavesNothing() {
    proxy.plan(Fault.SLOW_DOWN, ALWAYS, head -> head.startsWith("DELETE ") && hasCondition(head));

    fails(Kind.THROTTLED, "probe", store::guarantees);
    assertThat(probes()).isEmpty();
  }

  private List<String> probes() {
    return direct
        .client()
        .listObjectsV2(list -> list.bucket(NAME).prefix(location + "/_tidemark-probe-"))
        .contents()
        .stream()
        .map(object -> object.key())
        .toList();
  }

  // 409: who was in the way may have put another marker there meanwhile.
  @Test
  void aConflictOfADeletionDeletesNothing() throws IOException {
    put("p/m", "marker");
    String version = store.read("p/m").orElseThrow().version();
    assertThat(store.guarantees().deleteIfUnchanged()).isTrue();
    proxy.plan(Fault.CONFLICT, ALWAYS, head -> head.startsWith("DELETE ") && hasCondition(head));

    assertThat(store.deleteIfUnchanged("p/m", version)).isFalse();
    assertThat(text("p/m")).isEqualTo("marker");
  }

  @Test
  void aDeletionWhoseAnswerIsLostHasHappened() throws IOException {
    put("p/m", "marker");
    String version = store.read("p/m").orElseThrow().version();
    assertThat(store.guarantees().deleteIfUnchanged()).isTrue();
    proxy.plan(Fault.LOST_ANSWER, 1, head -> head.startsWith("DELETE ") && hasCondition(head));

    assertThat(store.deleteIfUnchanged("p/m", version)).isTrue();
    assertThat(text("p/m")).isEqualTo("absent");
  }

  // What follows would be taken for lost outputs; uploads would be listed for ever.
  @Test
  void aListingThatDoesNotSayWhereItGoesOnIsNotTheWhole() {
    proxy.plan(Fault.NO_NEXT_PAGE, ALWAYS, S3FaultsTest::reads);

    fails(Kind.UNREACHABLE, "goes on", () -> store.walk("p/", null, object -> true));
    fails(Kind.UNREACHABLE, "goes on", () -> store.removeAbandoned(AREA, Duration.ofDays(1)));
  }

  @Test
  void anUnreachableStoreIsNoEmptyOne() {
    try (Bucket nowhere = S3Server.connection(NAME, "http://127.0.0.1:9", S3Server.SECRET_KEY)) {
      S3Store lost = new S3Store(nowhere, "", new S3Conditions(), Clock.systemUTC());

      fails(Kind.UNREACHABLE, "check the endpoint", () -> lost.read("p/a"));
      fails(Kind.UNREACHABLE, "check the endpoint", () -> lost.walk("", null, object -> true));
      fails(Kind.UNREACHABLE, "check the endpoint", () -> lost.delete("p/a"));
      fails(Kind.UNREACHABLE, "check the endpoint", lost::guarantees);
    }
  }

  @Test
  void anUnknownHostIsUnreachable() throws IOException {
    try (Bucket elsewhere =
        S3Server.connection(NAME, "http://no-such-host.invalid", S3Server.SECRET_KEY)) {
      S3Store lost = new S3Store(elsewhere, "", new S3Conditions(), Clock.systemUTC());

      fails(Kind.UNREACHABLE, "no-such-host", () -> lost.read("p/a"));
    }
  }

  @Test
  void anAbsentBucketIsNoEmptyOne() throws IOException {
    try (Bucket none =
        S3Server.connection("no-such-bucket", SERVER.endpoint(), S3Server.SECRET_KEY)) {
      S3Store lost = new S3Store(none, "", new S3Conditions(), Clock.systemUTC());

      fails(Kind.ABSENT, "make the bucket", () -> lost.read("p/a"));
      fails(Kind.ABSENT, "make the bucket", () -> lost.walk("", null, object -> true));
      fails(Kind.ABSENT, "", () -> lost.deleteIfUnchanged("p/a", "\"x\""));
    }
  }

  @Test
  void wrongCredentialsAreDenied() throws IOException {
    Assumptions.assumeTrue(SERVER.isStrict(), "this server takes any key");
    try (Bucket stranger = S3Server.connection(NAME, SERVER.endpoint(), "wrong")) {
      S3Store closed = new S3Store(stranger, location, new S3Conditions(), Clock.systemUTC());

      fails(Kind.DENIED, "access-key", () -> closed.read("p/a"));
      fails(Kind.DENIED, "access-key", () -> closed.walk("", null, object -> true));
      assertThatThrownBy(() -> closed.read("p/a")).message().doesNotContain("wrong");
    }
  }

  // What arrives is what was read, or it is refused and never shown.
  @Test
  void contentThatChangesOnItsWayIsRefused() throws IOException {
    Assumptions.assumeTrue(SERVER.isStrict(), "this server takes any content");
    try (Staging staging = stage(1)) {
      Path file = Files.writeString(staging.folder().resolve("a"), "abc".repeat(1_000));
      proxy.plan(Fault.CORRUPTED, ALWAYS, head -> head.startsWith("PUT "));

      assertThatThrownBy(() -> staging.add(file, "p/a")).isInstanceOf(StoreException.class);
    }
    assertThat(text("p/a")).isEqualTo("absent");
    assertThat(uploads()).isEmpty();
  }

  // As some stores do: the condition is ignored without a word.
  @Test
  void aStoreThatIgnoresConditionsIsDetected() throws IOException {
    proxy.before(
        head -> {
          if (hasCondition(head)) {
            String path = head.substring(head.indexOf('/'), head.indexOf(" HTTP/"));
            String key = path.replaceFirst("\\?.*", "").substring(NAME.length() + 2);
            direct.client().deleteObject(delete -> delete.bucket(NAME).key(key));
          }
        });
    proxy.plan(Fault.NO_CONTENT, ALWAYS, head -> head.startsWith("DELETE ") && hasCondition(head));

    assertThat(store.guarantees()).isEqualTo(new Guarantees(false, false));
    put("p/m", "another's");
    try (Staging staging = stage(1)) {
      staging.add("marker", "p/m");
      assertThat(staging.promoteIfAbsent("p/m")).isFalse();
    }
    assertThat(store.deleteIfUnchanged("p/m", "\"older\"")).isFalse();
    assertThat(text("p/m")).isEqualTo("another's");
  }

  private static boolean hasCondition(String head) {
    return head.toLowerCase(Locale.ROOT).matches("(?s).*\r\nif-(none-)?match:.*");
  }
}
