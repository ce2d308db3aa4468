package dev.tidemark.activities.index.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Where an answer ended, as an opaque text.
 *
 * @param view that it was begun in
 * @param question tells what was asked from anything else
 * @param total of all pages
 * @param after what the last object was sorted by: Long, Double, Float, {@link BytesRef} or null
 */
record Cursor(String view, String question, long total, List<@Nullable Object> after) {
  private static final ObjectMapper JSON = new ObjectMapper();

  String text() {
    ArrayNode values = JSON.createArrayNode().add(view).add(question).add(total);
    after.forEach(value -> values.add(tagged(value)));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(values));
  }

  private static byte[] bytes(JsonNode json) {
    try {
      return JSON.writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers are always JSON", e);
    }
  }

  /**
   * The cursor that is written so.
   *
   * @throws QueryRefusal if it is none
   */
  static Cursor parse(String text) {
    try {
      JsonNode values = JSON.readTree(Base64.getUrlDecoder().decode(text));
      List<@Nullable Object> after = new ArrayList<>();
      for (int i = 3; i < values.size(); i++) {
        after.add(untagged(values.get(i).asText()));
      }
      return new Cursor(
          values.required(0).asText(),
          values.required(1).asText(),
          values.required(2).asLong(),
          after);
    } catch (IOException | IllegalArgumentException e) {
      throw QueryRefusal.invalid(
          "cursor", "the cursor is none that was handed out here; begin again without it");
    }
  }

  /** Whether its values can be those of this order. */
  boolean fits(SortField[] order) {
    boolean fits = order.length == after.size();
    for (int i = 0; fits && i < order.length; i++) {
      Object value = after.get(i);
      fits =
          switch (order[i] instanceof SortedNumericSortField number
              ? number.getNumericType()
              : order[i].getType()) {
            case LONG -> value instanceof Long;
            case DOUBLE -> value instanceof Double;
            case SCORE -> value instanceof Float;
            default -> value == null || value instanceof BytesRef;
          };
    }
    return fits;
  }

  private static String tagged(@Nullable Object value) {
    if (value == null) {
      return "-";
    }
    if (value instanceof BytesRef bytes) {
      byte[] copy = BytesRef.deepCopyOf(bytes).bytes;
      return "b" + Base64.getEncoder().encodeToString(copy);
    }
    return value.getClass().getSimpleName().charAt(0) + value.toString();
  }

  private static @Nullable Object untagged(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("no value");
    }
    String value = text.substring(1);
    return switch (text.charAt(0)) {
      case '-' -> null;
      case 'b' -> new BytesRef(Base64.getDecoder().decode(value));
      case 'L' -> Long.valueOf(value);
      case 'D' -> Double.valueOf(value);
      case 'F' -> Float.valueOf(value);
      default -> throw new IllegalArgumentException("no tag");
    };
  }
}
