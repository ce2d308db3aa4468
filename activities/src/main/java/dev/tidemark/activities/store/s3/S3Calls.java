package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;

/** Calls to one bucket. Whatever a call does not expect becomes a {@link StoreException}. */
final class S3Calls {
  private final Bucket bucket;

  S3Calls(Bucket bucket) {
    this.bucket = bucket;
  }

  /** One call. */
  @FunctionalInterface
  interface Call<T> {
    /** Makes it, and handles the answers that it expects: those of an absent object, say. */
    T make(S3Client s3) throws IOException;
  }

  /**
   * Makes a call.
   *
   * @param doing what for: {@code read}
   * @param address of what, for people
   */
  <T> T call(String doing, String address, Call<T> call) throws IOException {
    try {
      return call.make(bucket.client());
    } catch (AbortedException e) {
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while it should " + doing + " " + address);
      interrupted.initCause(e);
      throw interrupted;
    } catch (SdkException e) {
      throw S3Failure.of(e).during(doing, address, bucket);
    }
  }

  /** The bucket, for people. */
  String address() {
    return bucket.address();
  }
}
