package dev.tidemark.worker.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.page.AuditTrail;
import dev.tidemark.activities.page.AuditTrail.Outcome;
import dev.tidemark.worker.http.Faults;
import dev.tidemark.worker.http.Handler;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.util.Map;

/** Makes the routes that act: each leaves a record of who did what, when, from where. */
final class Audited {
  /** PostgreSQL's text cannot hold the character NUL. */
  private static final String NUL = "\\u0000";

  private final AuditTrail trail;
  private final Faults faults;

  Audited(AuditTrail trail, Faults faults) {
    this.trail = trail;
    this.faults = faults;
  }

  /**
   * A route that acts.
   *
   * @param action what it does, for the record: {@code retry}
   */
  Route action(String path, String action, Handler handler) {
    return new Route(Method.POST, path, Need.OPERATE, request -> record(action, request, handler));
  }

  private Response record(String action, Request request, Handler handler) throws Exception {
    long record =
        trail.begin(
            new AuditTrail.Action(
                request.caller().name(),
                request.from(),
                action,
                request.steps().get("pipeline"),
                detail(request)));
    try {
      Response response = handler.handle(request);
      trail.end(record, Outcome.DONE, null);
      return response;
    } catch (Exception thrown) {
      HttpFailure failure = faults.of(thrown);
      trail.end(
          record, failure.status() < 500 ? Outcome.REFUSED : Outcome.FAILED, failure.getMessage());
      throw thrown;
    }
  }

  /** The body, and what the path names beside the pipeline: that is what is acted on. */
  private static String detail(Request request) {
    if (!(request.json(JsonNode.class) instanceof ObjectNode detail)) {
      throw HttpFailure.invalid(null, "the body must be a JSON object");
    }
    for (Map.Entry<String, String> step : request.steps().entrySet()) {
      if (!step.getKey().equals("pipeline")) {
        detail.put(step.getKey(), step.getValue());
      }
    }
    String text = detail.toString();
    if (text.contains(NUL)) {
      throw HttpFailure.invalid(null, "the request has a character NUL in it; leave it out");
    }
    return text;
  }
}
