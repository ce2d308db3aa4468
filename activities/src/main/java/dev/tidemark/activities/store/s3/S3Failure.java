package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.activities.store.StoreException.Kind;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What an answer of a store, or no answer, means.
 *
 * @param wayOut what a person can do
 */
record S3Failure(Kind kind, String reason, String wayOut, SdkException cause) {
  private static final String NO_SUCH_UPLOAD = "NoSuchUpload";
  private static final String NO_SUCH_BUCKET = "NoSuchBucket";
  private static final Set<String> RACES =
      Set.of("PreconditionFailed", "ConditionalRequestConflict", "OperationAborted");
  private static final Set<String> EXPIRED =
      Set.of("ExpiredToken", "InvalidToken", "TokenRefreshRequired");
  private static final Set<String> ELSEWHERE =
      Set.of(
          "PermanentRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException");
  private static final Set<String> FULL =
      Set.of("QuotaExceeded", "XMinioStorageFull", "InsufficientStorage");

  private static final String CREDENTIALS =
      "check access-key and secret-key (or the profile, or the role) of the connection, and that"
          + " they may read, write, list and delete there";

  static S3Failure of(SdkException thrown) {
    if (thrown instanceof AwsServiceException answer) {
      return ofAnswer(answer);
    }
    String reason = String.valueOf(root(thrown).getMessage());
    if (thrown instanceof ApiCallTimeoutException
        || thrown instanceof ApiCallAttemptTimeoutException) {
      reason = "no answer in time";
    }
    if (String.valueOf(thrown.getMessage()).contains("Unable to load credentials")) {
      return new S3Failure(Kind.DENIED, "no credentials were found", CREDENTIALS, thrown);
    }
    if (String.valueOf(thrown.getMessage()).contains("Unable to load region")) {
      return new S3Failure(
          Kind.UNREACHABLE, "no region was found", "give the connection a region", thrown);
    }
    return new S3Failure(
        Kind.UNREACHABLE,
        root(thrown).getClass().getSimpleName() + ": " + reason,
        "check the endpoint of the connection, and the way to it",
        thrown);
  }

  private static S3Failure ofAnswer(AwsServiceException answer) {
    String code = code(answer);
    int status = answer.statusCode();
    String reason = status + " " + code + ": " + message(answer);
    if (code.equals(NO_SUCH_BUCKET) || status == 404) {
      return new S3Failure(
          Kind.ABSENT, reason, "make the bucket, or correct its name in the connection", answer);
    }
    if (ELSEWHERE.contains(code) || status == 301) {
      return new S3Failure(
          Kind.ABSENT, reason, "give the connection the region of the bucket", answer);
    }
    if (FULL.contains(code) || status == 507) {
      return new S3Failure(Kind.FULL, reason, "make space, or raise the quota", answer);
    }
    if (answer.isThrottlingException() || status == 503 || status == 429) {
      return new S3Failure(
          Kind.THROTTLED,
          reason,
          "it is tried again later; lower limits.parallel if it stays",
          answer);
    }
    if (status == 401 || status == 403 || EXPIRED.contains(code)) {
      String wayOut =
          code.equals("RequestTimeTooSkewed") ? "set the clock of this machine" : CREDENTIALS;
      return new S3Failure(Kind.DENIED, reason, wayOut, answer);
    }
    if (status >= 500 && status != 501) {
      return new S3Failure(Kind.UNREACHABLE, reason, "the store has a fault of its own", answer);
    }
    return new S3Failure(
        Kind.REFUSED, reason, "the store does not take this; its documentation says why", answer);
  }

  /** Of a page that has a successor and does not say where: taken for the last, it is a loss. */
  static StoreException brokenListing(String address) {
    return new StoreException(
        Kind.UNREACHABLE,
        "cannot list "
            + address
            + ": the store says that there is more, and not where it goes on; look at the proxies"
            + " between here and the store",
        null);
  }

  StoreException during(String doing, String address, Bucket bucket) {
    String endpoint = bucket.address().substring(("s3://" + bucket.name()).length());
    return new StoreException(
        kind, "cannot " + doing + " " + address + endpoint + ": " + reason + "; " + wayOut, cause);
  }

  /** Whether it says that the upload was completed or aborted, by whoever it was. */
  static boolean isNoSuchUpload(AwsServiceException answer) {
    return code(answer).equals(NO_SUCH_UPLOAD);
  }

  /** Whether a condition does not hold, or another call was in the way of finding out. */
  static boolean isConditionFailed(AwsServiceException answer) {
    return answer.statusCode() == 412 || RACES.contains(code(answer));
  }

  /** Whether there is no such object; never for a bucket that is not there. */
  static boolean isAbsent(AwsServiceException answer) {
    return answer.statusCode() == 404 && !code(answer).equals(NO_SUCH_BUCKET);
  }

  private static String code(AwsServiceException answer) {
    return answer.awsErrorDetails() == null
        ? ""
        : String.valueOf(answer.awsErrorDetails().errorCode());
  }

  /** An answer of something that is no store, such as a proxy on the way, has no details. */
  private static String message(AwsServiceException answer) {
    return String.valueOf(
        answer.awsErrorDetails() == null
            ? answer.getMessage()
            : answer.awsErrorDetails().errorMessage());
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    for (int i = 0; i < 20 && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return root;
  }
}
