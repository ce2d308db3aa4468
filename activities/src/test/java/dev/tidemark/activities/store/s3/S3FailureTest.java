package dev.tidemark.activities.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.store.StoreException.Kind;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What answers mean that no server at hand can be made to give. */
class S3FailureTest {

  // To make space does not help: the object is too large for S3, however often it is sent.
  @Test
  void anObjectThatIsTooLargeIsRefused() {
    S3Failure failure = S3Failure.of(answer(400, "EntityTooLarge"));

    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
    assertThat(failure.reason()).contains("EntityTooLarge");
    assertThat(S3Failure.of(answer(403, "QuotaExceeded")).kind()).isEqualTo(Kind.FULL);
  }

  @Test
  void anAnswerWithoutDetailsIsToldByItsStatus() {
    S3Failure failure =
        S3Failure.of(
            (S3Exception) S3Exception.builder().statusCode(502).message("by a proxy").build());

    assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
    assertThat(failure.reason()).contains("502").contains("by a proxy");
  }

  private static S3Exception answer(int status, String code) {
    return (S3Exception)
        S3Exception.builder()
            .statusCode(status)
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode(code).errorMessage("as told").build())
            .build();
  }
}
