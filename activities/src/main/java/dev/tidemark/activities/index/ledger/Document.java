package dev.tidemark.activities.index.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.payload.Payloads;
import java.util.List;

/** What the ledger keeps of object types as JSON. */
final class Document {
  private static final ObjectMapper MAPPER =
      Payloads.mapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private Document() {}

  static JsonNode tree(ObjectType type) {
    return MAPPER.valueToTree(type);
  }

  static ObjectType type(String json) {
    return read(json, new TypeReference<>() {});
  }

  static List<MigratedEdits> migrations(String json) {
    return read(json, new TypeReference<>() {});
  }

  static String text(List<MigratedEdits> migrations) {
    try {
      return MAPPER
          .writerFor(new TypeReference<List<MigratedEdits>>() {})
          .writeValueAsString(migrations);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("migrations are always JSON", e);
    }
  }

  static JsonNode parse(String json) {
    return read(json, new TypeReference<>() {});
  }

  private static <T> T read(String json, TypeReference<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the ledger has JSON that cannot be read: " + json, e);
    }
  }
}
