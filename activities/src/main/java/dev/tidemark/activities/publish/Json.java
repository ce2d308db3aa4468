package dev.tidemark.activities.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;

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
    T read = MAPPER.readValue(json, type);
    if (read == null) {
      throw new JsonMappingException(null, "null is no " + type.getSimpleName());
    }
    return read;
  }
}
