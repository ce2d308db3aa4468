package dev.tidemark.activities.store.s3;

import java.io.IOException;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the store says about an object, without its content. */
final class Heads {
  private final S3Calls calls;
  private final Keys keys;

  Heads(S3Calls calls, Keys keys) {
    this.calls = calls;
    this.keys = keys;
  }

  /** Empty if there is no such object. */
  Optional<HeadObjectResponse> of(String name) throws IOException {
    String key = keys.of(name);
    return calls.call("look at", keys.address(name), s3 -> head(s3, key));
  }

  private Optional<HeadObjectResponse> head(S3Client s3, String key) {
    try {
      return Optional.of(s3.headObject(head -> head.bucket(keys.bucket()).key(key)));
    } catch (S3Exception e) {
      if (!S3Failure.isAbsent(e)) {
        throw e;
      }
      // The answer has no body that could tell an absent object from an absent bucket.
      s3.headBucket(head -> head.bucket(keys.bucket()));
      return Optional.empty();
    }
  }
}
