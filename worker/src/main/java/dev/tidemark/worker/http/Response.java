package dev.tidemark.worker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import dev.tidemark.workflows.payload.Payloads;

/**
 * An answer.
 *
 * @param type the content type
 */
public record Response(int status, String type, String body) {
  static final ObjectMapper JSON =
      Payloads.mapper()
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private static final String JSON_TYPE = "application/json; charset=utf-8";

  /** The view as JSON, in snake_case. */
  public static Response json(Object view) {
    try {
      return new Response(200, JSON_TYPE, JSON.writeValueAsString(view));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a view must be able to become JSON", e);
    }
  }

  /** Text of this type. */
  public static Response text(String type, String text) {
    return new Response(200, type, text);
  }

  /** The same, with another status. */
  public Response withStatus(int other) {
    return new Response(other, type, body);
  }
}
