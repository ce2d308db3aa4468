package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.StagingArea;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * Aborts what killed attempts have left, which is paid for until then. A bucket is often shared:
 * uploads that could be somebody else's are left alone.
 */
final class AbandonedUploads {
  private final S3Calls calls;
  private final Keys keys;
  private final Uploads uploads;

  AbandonedUploads(S3Calls calls, Keys keys, Uploads uploads) {
    this.calls = calls;
    this.keys = keys;
    this.uploads = uploads;
  }

  /** Aborts those of an area that began before {@code oldest}; returns how many. */
  int abort(StagingArea area, Instant oldest) throws IOException {
    String prefix = keys.ofPrefix(area.prefix());
    if (prefix.isEmpty()) {
      // All of a bucket, and a template that says nothing of its own: any upload could be meant.
      return 0;
    }
    int aborted = 0;
    @Nullable ListMultipartUploadsResponse page = null;
    do {
      page = page(prefix, page);
      for (MultipartUpload upload : page.uploads()) {
        String name = keys.name(upload.key());
        if (upload.initiated().isBefore(oldest) && area.targets().matcher(name).matches()) {
          uploads.abort(name, upload.uploadId());
          aborted++;
        }
      }
    } while (goesOn(page, prefix));
    return aborted;
  }

  private boolean goesOn(ListMultipartUploadsResponse page, String prefix) throws IOException {
    if (!Boolean.TRUE.equals(page.isTruncated())) {
      return false;
    }
    if (page.nextKeyMarker() == null) {
      // The first page would come again, for ever.
      throw S3Failure.brokenListing("the uploads below s3://" + keys.bucket() + "/" + prefix);
    }
    return true;
  }

  private ListMultipartUploadsResponse page(
      String prefix, @Nullable ListMultipartUploadsResponse before) throws IOException {
    return calls.call(
        "list the uploads below",
        "s3://" + keys.bucket() + "/" + prefix,
        s3 ->
            s3.listMultipartUploads(
                list ->
                    list.bucket(keys.bucket())
                        .prefix(prefix)
                        .keyMarker(before == null ? null : before.nextKeyMarker())
                        .uploadIdMarker(before == null ? null : before.nextUploadIdMarker())));
  }
}
