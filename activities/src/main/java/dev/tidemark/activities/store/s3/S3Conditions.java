package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.Guarantees;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Which conditions the store of one bucket honours: found out by writing and deleting a small
 * object, once. A store that knows no conditions often ignores them without a word.
 */
public final class S3Conditions {
  private static final Logger log = LoggerFactory.getLogger(S3Conditions.class);
  private static final String PROBE = "_tidemark-probe-";
  private static final String NO_ETAG = "\"00000000000000000000000000000000\"";

  /** How stores say that they do not know a header: 501, and older ones 400 or 405. */
  private static final Set<Integer> UNKNOWN = Set.of(400, 405, 501);

  private @Nullable Guarantees found;

  /** Asks at the first call; a store that cannot be asked is asked again at the next. */
  synchronized Guarantees in(S3Calls calls, Keys keys) throws IOException {
    Guarantees known = found;
    if (known == null) {
      known = probe(calls, keys);
      found = known;
      say(calls.address(), known);
    }
    return known;
  }

  private static void say(String bucket, Guarantees guarantees) {
    if (guarantees.createIfAbsent()) {
      log.info("{}: {}", bucket, guarantees.describe());
    } else {
      log.warn("{}: {}", bucket, guarantees.describe());
    }
  }

  private static Guarantees probe(S3Calls calls, Keys keys) throws IOException {
    String name = PROBE + UUID.randomUUID();
    String key = keys.of(name);
    return calls.call(
        "probe the conditional writes of",
        keys.address(name),
        s3 -> {
          try {
            boolean create = createIfAbsent(s3, keys.bucket(), key);
            boolean delete = deleteIfUnchanged(s3, keys.bucket(), key);
            return new Guarantees(create, delete);
          } finally {
            remove(s3, keys.bucket(), key);
          }
        });
  }

  /** What became of a write on condition of absence. */
  private enum Answer {
    TAKEN,
    REFUSED,
    UNKNOWN
  }

  /**
   * Whether one of two writes on condition of absence is refused. It may be the first: where its
   * answer is lost it is repeated, and finds what it wrote itself.
   */
  private static boolean createIfAbsent(S3Client s3, String bucket, String key) {
    Answer first = putIfAbsent(s3, bucket, key);
    if (first == Answer.TAKEN) {
      return putIfAbsent(s3, bucket, key) == Answer.REFUSED;
    }
    // Something must be there for what is asked next.
    s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.empty());
    return first == Answer.REFUSED;
  }

  private static Answer putIfAbsent(S3Client s3, String bucket, String key) {
    try {
      s3.putObject(put -> put.bucket(bucket).key(key).ifNoneMatch("*"), RequestBody.empty());
      return Answer.TAKEN;
    } catch (S3Exception e) {
      if (S3Failure.isConditionFailed(e)) {
        return Answer.REFUSED;
      }
      if (UNKNOWN.contains(e.statusCode())) {
        return Answer.UNKNOWN;
      }
      throw e;
    }
  }

  /** What cannot be removed does no harm, and says nothing about conditions. */
  private static void remove(S3Client s3, String bucket, String key) {
    try {
      s3.deleteObject(request -> request.bucket(bucket).key(key));
    } catch (SdkException e) {
      log.warn("s3://{}/{} may be left behind; it can be deleted: {}", bucket, key, e.getMessage());
    }
  }

  /** Whether a removal on condition of another version is refused, and leaves the object. */
  private static boolean deleteIfUnchanged(S3Client s3, String bucket, String key) {
    try {
      s3.deleteObject(delete -> delete.bucket(bucket).key(key).ifMatch(NO_ETAG));
      return false;
    } catch (S3Exception e) {
      if (!S3Failure.isConditionFailed(e) && !UNKNOWN.contains(e.statusCode())) {
        throw e;
      }
      return S3Failure.isConditionFailed(e);
    }
  }
}
