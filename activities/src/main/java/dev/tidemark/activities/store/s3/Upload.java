package dev.tidemark.activities.store.s3;

import java.util.List;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object that is in the store, and not visible: a multipart upload that was not completed.
 *
 * @param target name of the object
 * @param id the store's, for this upload
 * @param mark kept with the object: tells whose it is once the upload is gone
 */
record Upload(String target, String key, String id, String mark, List<CompletedPart> parts) {
  Upload {
    parts = List.copyOf(parts);
  }
}
