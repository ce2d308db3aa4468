package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.testing.FaultyProxy;
import dev.tidemark.testing.S3Server;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Outputs in buckets, from the command. */
class S3CommandsTest {
  private static final S3Server SERVER = S3Server.start();
  private static final Bucket A = SERVER.bucket("commands-a");
  private static final Bucket B = SERVER.bucket("commands-b");

  @TempDir Path folder;

  @AfterAll
  static void close() {
    A.close();
    B.close();
  }

  private Trial trial(String endpoint, String secret) {
    return Trial.with(
        folder,
        """
        connections:
          lake-a: {s3: {bucket: commands-a, endpoint: "ENDPOINT", path-style: true, access-key: KEY, secret-key: SECRET}}
          lake-b: {s3: {bucket: commands-b, endpoint: "ENDPOINT", path-style: true, access-key: KEY, secret-key: SECRET}}
        pipelines:
          - name: days
            partitions: {every: day, start: 2026-08-01, end: 2026-08-03}
            slices: [{unit: [a, b]}]
            task: {command: ["sh", "-c", "echo {slice.unit} {partition} > {output}/x.csv"]}
            output: {location: "connection:lake-{slice.unit}/exports"}
        """
            .replace("ENDPOINT", endpoint)
            .replace("KEY", S3Server.ACCESS_KEY)
            .replace("SECRET", secret));
  }

  private static List<String> keys(Bucket bucket) {
    return bucket.client().listObjectsV2(list -> list.bucket(bucket.name())).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  // B40: each account's outputs in its own bucket, complete with their markers.
  @Test
  void aSweepPublishesIntoTheBucketOfEachAccount() {
    Trial trial = trial(SERVER.endpoint(), S3Server.SECRET_KEY);

    JsonNode swept = trial.json("sweep", "days").json();

    assertThat(swept.path("completed").asInt()).as(swept.toString()).isEqualTo(4);
    assertThat(keys(A))
        .hasSize(4)
        .contains("exports/days/unit=a/dt=2026-08-01/_manifest.json")
        .allMatch(key -> key.startsWith("exports/days/unit=a/dt=2026-08-0"));
    assertThat(keys(B)).hasSize(4).allMatch(key -> key.startsWith("exports/days/unit=b/"));
    JsonNode again = trial.json("sweep", "days").json();
    assertThat(again.path("claimed").asInt()).as(again.toString()).isZero();
  }

  // B41
  @Test
  void checkConnectionsWritesReadsListsAndDeletes() {
    Trial.Ran ran =
        trial(SERVER.endpoint(), S3Server.SECRET_KEY).json("check-connections", "lake-a");

    assertThat(ran.exit()).as(ran.out()).isZero();
    assertThat(ran.json().path("connections")).hasSize(1);
    assertThat(ran.json().at("/connections/0/detail").asText())
        .contains("connection:lake-a/exports", "deleted", "honours conditional writes");
    assertThat(keys(A)).noneMatch(key -> key.contains("_tidemark"));
  }

  @Test
  void checkConnectionsTellsAWrongKeyFromAStoreThatCannotBeReached() {
    Assumptions.assumeTrue(SERVER.isStrict(), "this server takes any key");
    Trial.Ran denied = trial(SERVER.endpoint(), "wrong").json("check-connections", "lake-a");
    Trial.Ran lost =
        trial("http://127.0.0.1:9", S3Server.SECRET_KEY).json("check-connections", "lake-a");

    assertThat(denied.exit()).as(denied.out()).isEqualTo(1);
    assertThat(denied.json().at("/connections/0/detail").asText())
        .contains("cannot write", "s3:PutObject");
    assertThat(lost.exit()).as(lost.out()).isEqualTo(3);
    assertThat(lost.json().at("/connections/0/detail").asText()).contains("check the endpoint");
  }

  // B41: a read-only key passes every other check
  @Test
  void checkConnectionsSaysEachThingThatAReadOnlyKeyIsDenied() throws Exception {
    try (FaultyProxy proxy = new FaultyProxy(SERVER.port())) {
      proxy.plan(
          FaultyProxy.Fault.DENIED,
          Integer.MAX_VALUE,
          head -> head.matches("(?s)(PUT|POST|DELETE) .*"));
      Trial.Ran readOnly =
          trial(proxy.endpoint(), S3Server.SECRET_KEY).json("check-connections", "lake-a");

      assertThat(readOnly.exit()).as(readOnly.out()).isEqualTo(1);
      assertThat(readOnly.json().at("/connections/0/detail").asText())
          .contains("cannot write", "s3:PutObject", "cannot delete", "s3:DeleteObject")
          .contains("this works: read back, listed")
          .doesNotContain(S3Server.SECRET_KEY);
    }
  }

  @Test
  void validateSaysWhatTheStoresGuarantee() {
    Trial.Ran valid = trial(SERVER.endpoint(), S3Server.SECRET_KEY).run("validate");

    assertThat(valid.exit()).as(valid.err()).isZero();
    assertThat(valid.err())
        .contains("lake-a: honours conditional writes", "lake-b: honours conditional writes");
  }

  @Test
  void validateIsNotWrongAboutAConfigurationWhoseStoreIsAway() {
    Trial.Ran valid = trial("http://127.0.0.1:9", S3Server.SECRET_KEY).run("validate");

    assertThat(valid.exit()).as(valid.err()).isZero();
    assertThat(valid.err()).contains("lake-a: what this object store guarantees is not known");
  }
}
