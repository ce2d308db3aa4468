package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.store.StoreException;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of a store's failures spend an attempt. */
class AttemptOutputTest {

  // Invariant 10: what will be refused each time is not tried without end.
  @ParameterizedTest
  @EnumSource
  void onlyWhatAStoreRefusesForEverIsAnError(StoreException.Kind kind) {
    IOException failure = new StoreException(kind, "the store says so", null);

    assertThat(AttemptOutput.storeFailed("publish", failure).kind())
        .isEqualTo(
            switch (kind) {
              case REFUSED -> FailureKind.ERROR;
              case DENIED, ABSENT -> FailureKind.NO_DESTINATION;
              case UNREACHABLE, THROTTLED, FULL -> FailureKind.NOT_READY;
            });
  }
}
