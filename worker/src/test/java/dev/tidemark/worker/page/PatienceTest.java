package dev.tidemark.worker.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.worker.http.HttpFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void whatNobodyAnswersIsEndedAndSaid() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                new Patience(Duration.ofMillis(50))
                    .answer(
                        () -> {
                          try {
                            return new CountDownLatch(1).await(1, TimeUnit.HOURS);
                          } finally {
                            ended.countDown();
                          }
                        }))
        .isInstanceOf(HttpFailure.class)
        .hasMessageStartingWith("no worker took the request");
    assertThat(ended.await(30, TimeUnit.SECONDS)).as("its thread is free again").isTrue();
  }

  @Test
  void anAnswerIsGivenAndARefusalIsTheRefusalItself() throws Exception {
    Patience patience = new Patience(Duration.ofMinutes(1));

    assertThat(patience.answer(() -> "yes")).isEqualTo("yes");
    assertThatThrownBy(
            () ->
                patience.answer(
                    () -> {
                      throw new IllegalArgumentException("no");
                    }))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("no");
  }
}
