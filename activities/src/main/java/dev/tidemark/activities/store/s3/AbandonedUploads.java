package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.StagingArea;
import java.io.IOException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * Aborts what killed attempts have left, which is paid for until then. A bucket is often shared:
 * uploads that could be somebody else's are left alone.
 */
final class AbandonedUploads {
  private static final Pattern OWN =
      Pattern.compile(".*(^|/)(part-[0-9]{5,}-[0-9]{1,18}(\\..*)?|_manifest\\.json|.+\\.commit)");

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
    String prefix = keys.ofPrefix(area.targets());
    boolean alone = area.holdsOnlyTargets() && !prefix.isEmpty();
    int aborted = 0;
    @Nullable ListMultipartUploadsResponse page = null;
    do {
      page = page(prefix, page);
      for (MultipartUpload upload : page.uploads()) {
        String name = keys.name(upload.key());
        if (upload.initiated().isBefore(oldest) && (alone || OWN.matcher(name).matches())) {
          uploads.abort(name, upload.uploadId());
          aborted++;
        }
      }
    } while (Boolean.TRUE.equals(page.isTruncated()));
    return aborted;
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
