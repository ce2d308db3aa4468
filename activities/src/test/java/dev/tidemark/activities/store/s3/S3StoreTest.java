package dev.tidemark.activities.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.OutputStoreContract;
import dev.tidemark.testing.S3Server;
import java.io.IOException;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;

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
}
