package dev.tidemark.activities.publish;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

/** How manifests and intents are written. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a record of text and numbers is always JSON", e);
    }
  }

  static <T> T read(String json, Class<T> type) throws JsonProcessingException {
    T value = MAPPER.readValue(json, type);
    if (value == null) {
      throw MismatchedInputException.from((JsonParser) null, type, "the text is null");
    }
    return value;
  }
}
