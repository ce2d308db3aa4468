package dev.tidemark.worker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.worker.access.Caller;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that was let in.
 *
 * @param steps the values of what is in braces in the route's path
 * @param query the parameters of the URL, each once
 * @param from where it came from, for the record
 * @param body empty for GET
 */
public record Request(
    Map<String, String> steps, Map<String, String> query, Caller caller, String from, String body) {

  /** What stands in the path for {@code {name}}. */
  public String step(String name) {
    String value = steps.get(name);
    if (value == null) {
      throw new IllegalStateException("the route has no {" + name + "}");
    }
    return value;
  }

  /** The parameter, or null where it is not there or empty. */
  public @Nullable String query(String name) {
    String value = query.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /**
   * The parameter as a number.
   *
   * @throws HttpFailure if it is none from lowest to highest
   */
  public int number(String name, int otherwise, int lowest, int highest) {
    String value = query(name);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= lowest && number <= highest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw HttpFailure.invalid(
        name, name + " '" + value + "' must be a number from " + lowest + " to " + highest);
  }

  /**
   * The body, which is JSON.
   *
   * @throws HttpFailure if it is not, or does not fit
   */
  public <T> T json(Class<T> type) {
    try {
      T value = Response.JSON.readValue(body, type);
      if (value == null) {
        throw HttpFailure.invalid(null, "the body must be a JSON object");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw HttpFailure.invalid(null, "the body does not fit: " + e.getOriginalMessage());
    }
  }
}
