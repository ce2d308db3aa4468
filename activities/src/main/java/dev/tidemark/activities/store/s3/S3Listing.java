package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.connection.Bucket;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Lists a bucket, page by page. */
public final class S3Listing {
  private final S3Calls calls;
  private final String bucket;

  public S3Listing(Bucket bucket) {
    this(new S3Calls(bucket), bucket.name());
  }

  S3Listing(S3Calls calls, String bucket) {
    this.calls = calls;
    this.bucket = bucket;
  }

  /** Takes the objects of a listing. */
  @FunctionalInterface
  public interface Visitor {
    /** Takes one object; returns false to end the listing. */
    boolean visit(S3Object object) throws IOException;
  }

  /**
   * Shows every object whose key starts with {@code prefix}, in the byte order of their keys.
   *
   * @param after only keys greater than this; null for all
   * @throws dev.tidemark.activities.store.StoreException if it cannot be listed
   */
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    String next = null;
    do {
      ListObjectsV2Response page = page(prefix, after, next);
      for (S3Object object : page.contents()) {
        if (!visitor.visit(object)) {
          return;
        }
      }
      next = next(page, prefix);
    } while (next != null);
  }

  /** Where the next page begins, or null after the last. */
  private @Nullable String next(ListObjectsV2Response page, String prefix) throws IOException {
    if (!Boolean.TRUE.equals(page.isTruncated())) {
      return null;
    }
    if (page.nextContinuationToken() == null) {
      throw S3Failure.brokenListing("s3://" + bucket + "/" + prefix);
    }
    return page.nextContinuationToken();
  }

  private ListObjectsV2Response page(String prefix, @Nullable String after, @Nullable String next)
      throws IOException {
    return calls.call(
        "list",
        "s3://" + bucket + "/" + prefix,
        s3 ->
            s3.listObjectsV2(
                list ->
                    list.bucket(bucket).prefix(prefix).startAfter(after).continuationToken(next)));
  }
}
