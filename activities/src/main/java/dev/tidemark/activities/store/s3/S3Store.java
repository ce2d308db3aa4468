package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagedUpload;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoredObject;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Outputs in a bucket. What is staged is an upload that was not completed, which no reader can see
 * and whoever knows its id can abort.
 */
public final class S3Store implements OutputStore {
  private final S3Calls calls;
  private final Keys keys;
  private final Uploads uploads;
  private final Contents contents;
  private final S3Conditions conditions;
  private final Clock clock;

  /**
   * @param prefix of the location in the bucket; empty for all of it
   * @param conditions what the bucket's store honours, found out once for all its locations
   */
  public S3Store(Bucket bucket, String prefix, S3Conditions conditions, Clock clock) {
    this.calls = new S3Calls(bucket);
    this.keys = new Keys(bucket.name(), prefix);
    this.uploads = new Uploads(calls, keys);
    this.contents = new Contents(calls, keys);
    this.conditions = conditions;
    this.clock = clock;
  }

  @Override
  public Staging stage(StagingId id) {
    return new S3Staging(this, uploads, id.name(), new SharedObjects(calls, keys, contents, id));
  }

  @Override
  public void endEarlier(StagingId id, List<StagedUpload> earlier) throws IOException {
    for (StagedUpload upload : earlier) {
      uploads.abort(upload.target(), upload.upload());
    }
  }

  @Override
  public Optional<StoredText> read(String name) throws IOException {
    return contents.text(name);
  }

  @Override
  public InputStream open(String name) throws IOException {
    return contents.open(name);
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    new S3Listing(calls, keys.bucket())
        .walk(
            keys.ofPrefix(prefix),
            after == null ? null : keys.prefix() + after,
            object -> {
              String name = keys.name(object.key());
              return SharedObjects.isStaged(name)
                  || visitor.visit(new StoredObject(name, object.size()));
            });
  }

  @Override
  public void delete(String name) throws IOException {
    String key = keys.of(name);
    calls.call(
        "delete",
        address(name),
        s3 -> s3.deleteObject(delete -> delete.bucket(keys.bucket()).key(key)));
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
    if (guarantees().deleteIfUnchanged()) {
      // Refused also where an earlier call did it, and its answer was lost.
      return deleteOnCondition(name, version) || !isThere(name);
    }
    Optional<String> now = new Heads(calls, keys).of(name).map(HeadObjectResponse::eTag);
    if (now.isPresent() && now.get().equals(version)) {
      delete(name);
      return true;
    }
    return now.isEmpty();
  }

  /** Returns false where the condition does not hold, or could not be found out. */
  private boolean deleteOnCondition(String name, String version) throws IOException {
    String key = keys.of(name);
    return calls.call(
        "delete",
        address(name),
        s3 -> {
          try {
            s3.deleteObject(delete -> delete.bucket(keys.bucket()).key(key).ifMatch(version));
            return true;
          } catch (S3Exception e) {
            if (S3Failure.isConditionFailed(e) || S3Failure.isAbsent(e)) {
              return false;
            }
            throw e;
          }
        });
  }

  boolean isThere(String name) throws IOException {
    return new Heads(calls, keys).of(name).isPresent();
  }

  @Override
  public int removeAbandoned(StagingArea area, Duration age) throws IOException {
    Instant oldest = clock.instant().minus(age);
    return new AbandonedUploads(calls, keys, uploads).abort(area, oldest)
        + SharedObjects.removeOlder(calls, keys, area, oldest);
  }

  @Override
  public String address(String name) {
    return keys.address(name);
  }

  @Override
  public Guarantees guarantees() throws IOException {
    return conditions.in(calls, keys);
  }
}
