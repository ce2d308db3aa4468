package dev.tidemark.worker.objects;

import dev.tidemark.activities.index.query.QueryRefusal;
import dev.tidemark.worker.http.HttpFailure;

/** What refusals of questions and edits are over HTTP. */
public final class ObjectFaults {
  private ObjectFaults() {}

  public static HttpFailure of(QueryRefusal refusal) {
    String message = String.valueOf(refusal.getMessage());
    return switch (refusal.kind()) {
      case INVALID -> HttpFailure.invalid(refusal.field(), message);
      case NOT_FOUND -> new HttpFailure(404, "not_found", refusal.field(), message);
      case CONFLICT -> new HttpFailure(409, "refused", refusal.field(), message);
      case GONE -> new HttpFailure(410, "gone", refusal.field(), message);
      case NOT_READY -> new HttpFailure(503, "not_ready", refusal.field(), message);
    };
  }
}
