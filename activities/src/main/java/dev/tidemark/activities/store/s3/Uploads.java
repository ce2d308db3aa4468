package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Makes, completes and aborts the uploads of one location. Completing is the call whose answer may
 * be lost after its effect: the object itself is then asked whose it is.
 */
final class Uploads {
  private static final Logger log = LoggerFactory.getLogger(Uploads.class);

  /** For calls that send or assemble much. */
  static final AwsRequestOverrideConfiguration PATIENT =
      AwsRequestOverrideConfiguration.builder()
          .apiCallAttemptTimeout(Duration.ofMinutes(15))
          .apiCallTimeout(Duration.ofHours(1))
          .build();

  /** User metadata of an object: which upload made it. */
  private static final String MARK = "tidemark-upload";

  private final S3Calls calls;
  private final Keys keys;

  Uploads(S3Calls calls, Keys keys) {
    this.calls = calls;
    this.keys = keys;
  }

  /** What became of an attempt to complete an upload. */
  enum Completion {
    /** The object is visible. */
    DONE,
    /** An object has the name already; the upload is still there. */
    EXISTS,
    /** A later attempt has aborted the upload. */
    ABORTED
  }

  /** An upload, and SHA-256 of its content in hex. */
  record Sent(Upload upload, String sha256) {}

  /** Sends a file; holds a small buffer of it at a time. */
  Sent send(Path file, String target) throws IOException {
    Upload started = create(target);
    try (FileChannel content = FileChannel.open(file)) {
      Sending sending = new Sending(calls, keys, started, content, Durably.sha256());
      Upload sent = new Upload(target, started.key(), started.id(), started.mark(), sending.run());
      return new Sent(sent, sending.sha256());
    } catch (IOException | RuntimeException e) {
      abandon(List.of(started));
      throw e;
    }
  }

  private Upload create(String target) throws IOException {
    String key = keys.of(target);
    String mark = UUID.randomUUID().toString();
    String id =
        calls.call(
            "stage",
            keys.address(target),
            s3 ->
                s3.createMultipartUpload(
                        create ->
                            create
                                .bucket(keys.bucket())
                                .key(key)
                                // Some stores compare checksums of parts only if they were told.
                                .checksumAlgorithm(ChecksumAlgorithm.CRC32)
                                .metadata(Map.of(MARK, mark)))
                    .uploadId());
    return new Upload(target, key, id, mark, List.of());
  }

  /**
   * Makes an object visible.
   *
   * @param ifAbsent only if nothing has its name, as far as the store can tell
   */
  Completion complete(Upload upload, boolean ifAbsent) throws IOException {
    Completion answer;
    try {
      answer =
          calls.call(
              "promote", keys.address(upload.target()), s3 -> complete(s3, upload, ifAbsent));
    } catch (StoreException e) {
      if (isVisibleAnyway(upload, e)) {
        return Completion.DONE;
      }
      throw e;
    }
    // A repeated call finds what the first one did, whose answer was lost.
    return answer == Completion.DONE || isVisible(upload) ? Completion.DONE : answer;
  }

  private Completion complete(S3Client s3, Upload upload, boolean ifAbsent) {
    try {
      s3.completeMultipartUpload(
          complete ->
              complete
                  .bucket(keys.bucket())
                  .key(upload.key())
                  .uploadId(upload.id())
                  .multipartUpload(parts -> parts.parts(upload.parts()))
                  .ifNoneMatch(ifAbsent ? "*" : null)
                  .overrideConfiguration(PATIENT));
      return Completion.DONE;
    } catch (S3Exception e) {
      if (S3Failure.isNoSuchUpload(e)) {
        return Completion.ABORTED;
      }
      if (ifAbsent && S3Failure.isConditionFailed(e)) {
        return Completion.EXISTS;
      }
      throw e;
    }
  }

  private boolean isVisibleAnyway(Upload upload, StoreException failure) {
    try {
      return isVisible(upload);
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** Whether the object that has the name now is the one that this upload made. */
  private boolean isVisible(Upload upload) throws IOException {
    return new Heads(calls, keys)
        .of(upload.target())
        .map(HeadObjectResponse::metadata)
        .map(metadata -> upload.mark().equals(metadata.get(MARK)))
        .orElse(false);
  }

  /** Aborts an upload; one that is not there any more is no error. */
  void abort(String target, String id) throws IOException {
    String key = keys.of(target);
    calls.call(
        "abort the upload of",
        keys.address(target),
        s3 -> {
          try {
            s3.abortMultipartUpload(abort -> abort.bucket(keys.bucket()).key(key).uploadId(id));
            return true;
          } catch (S3Exception e) {
            if (S3Failure.isNoSuchUpload(e)) {
              return false;
            }
            throw e;
          }
        });
  }

  /** Aborts what is not needed. What cannot be aborted now is when it is old. */
  void abandon(List<Upload> uploads) {
    int left = uploads.size();
    try {
      for (Upload upload : uploads) {
        abort(upload.target(), upload.id());
        left--;
      }
    } catch (IOException e) {
      log.warn("{} uploads are left uncompleted; they are aborted when they are old", left, e);
    }
  }

  /** The staging was taken away. */
  static NoSuchFileException takenAway(String address, @Nullable Throwable cause) {
    NoSuchFileException gone =
        new NoSuchFileException(address, null, "a later attempt has taken its upload away");
    if (cause != null) {
      gone.initCause(cause);
    }
    return gone;
  }
}
