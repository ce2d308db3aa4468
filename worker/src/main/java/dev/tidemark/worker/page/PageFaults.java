package dev.tidemark.worker.page;

import dev.tidemark.activities.index.query.QueryRefusal;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.store.StoreException;
import dev.tidemark.worker.http.Faults;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.objects.ObjectFaults;
import dev.tidemark.workflows.client.RequestRefused;
import dev.tidemark.workflows.ledger.Refusal;
import io.grpc.StatusRuntimeException;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The codes are those of the command's errors. What is not known says nothing of itself but where
 * to look: its message may hold what is not for everybody.
 */
final class PageFaults implements Faults {
  private static final int MAX_CAUSES = 20;

  @Override
  public HttpFailure of(Exception thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      Optional<HttpFailure> known = known(cause);
      if (known.isPresent()) {
        return known.get();
      }
      cause = cause.getCause();
    }
    return new HttpFailure(
        500,
        "internal",
        null,
        "this failed, and the worker's log says why: " + thrown.getClass().getSimpleName());
  }

  private static Optional<HttpFailure> known(Throwable thrown) {
    if (thrown instanceof HttpFailure failure) {
      return Optional.of(failure);
    }
    if (thrown instanceof QueryRefusal refusal) {
      return Optional.of(ObjectFaults.of(refusal));
    }
    if (thrown instanceof LedgerRefusal refusal) {
      return Optional.of(
          switch (refusal.kind()) {
            case INVALID -> HttpFailure.invalid(refusal.field(), message(refusal));
            case UNKNOWN_PIPELINE -> unknownPipeline(refusal.field(), message(refusal));
            case REFUSED -> refused(refusal.field(), message(refusal));
          });
    }
    if (thrown instanceof RequestRefused refused) {
      return Optional.of(
          switch (refused.type()) {
            case Refusal.REFUSED -> refused(null, message(refused));
            case Refusal.UNKNOWN_PIPELINE -> unknownPipeline("pipeline", message(refused));
            default -> HttpFailure.invalid(null, message(refused));
          });
    }
    if (thrown instanceof SQLException lost && isConnectionLost(lost)) {
      return Optional.of(unreachable("PostgreSQL cannot be reached"));
    }
    if (thrown instanceof StatusRuntimeException lost) {
      return Optional.of(unreachable("Temporal does not answer: " + lost.getStatus().getCode()));
    }
    if (thrown instanceof StoreException lost) {
      return Optional.of(unreachable(message(lost)));
    }
    return Optional.empty();
  }

  /** By SQLState, never by text: class 08 and the administrator's shutdowns of class 57. */
  private static boolean isConnectionLost(SQLException lost) {
    String state = lost.getSQLState();
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  private static HttpFailure unknownPipeline(@Nullable String field, String message) {
    return new HttpFailure(404, "unknown_pipeline", field, message);
  }

  private static HttpFailure refused(@Nullable String field, String message) {
    return new HttpFailure(409, "refused", field, message);
  }

  private static HttpFailure unreachable(String message) {
    return new HttpFailure(503, "unreachable", null, message);
  }

  private static String message(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }
}
