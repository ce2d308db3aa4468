package dev.tidemark.activities.index.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectKey;
import dev.tidemark.activities.index.object.Values;
import dev.tidemark.activities.index.query.ObjectSearch;
import dev.tidemark.activities.index.query.QueryRefusal;
import dev.tidemark.activities.index.query.View;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.io.IOException;
import java.util.Map;

/** Whether an edit fits its type, and the object as it is; nothing is written before that. */
final class EditCheck {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_REQUEST = 200;
  private static final int LONGEST_KEY = 8_000;

  private EditCheck() {}

  /**
   * The edit as the ledger keeps it: its key and values written as they always are.
   *
   * @throws QueryRefusal if it does not fit
   */
  static NewEdit of(View view, NewEdit edit) throws IOException {
    ObjectType type = view.type();
    if (edit.requestId().isBlank() || edit.requestId().length() > LONGEST_REQUEST) {
      throw QueryRefusal.invalid(
          "request_id", "request_id must have 1 to " + LONGEST_REQUEST + " characters");
    }
    String key = key(type, edit.key());
    ObjectNode values = values(type, edit);
    checkExistence(view, key, edit.action());
    return new NewEdit(edit.requestId(), key, edit.action(), values, edit.by());
  }

  /** The key as it is always written. */
  static String key(ObjectType type, String key) {
    if (key.length() > LONGEST_KEY) {
      throw QueryRefusal.invalid("key", "key may have " + LONGEST_KEY + " characters");
    }
    String canonical;
    try {
      canonical = ObjectKey.canonical(type, key);
    } catch (IllegalArgumentException e) {
      throw QueryRefusal.invalid(
          "key", "'%s' is no key of '%s': %s".formatted(key, type.name(), e.getMessage()));
    }
    if (canonical.length() > ObjectKey.LONGEST) {
      throw QueryRefusal.invalid(
          "key", "key may have " + ObjectKey.LONGEST + " bytes, percent-encoded");
    }
    return canonical;
  }

  private static ObjectNode values(ObjectType type, NewEdit edit) {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> one : edit.values().properties()) {
      Property property = property(type, one.getKey());
      try {
        values.set(
            property.name(),
            Values.toJson(property, Values.fromJson(property, one.getValue()), EditCheck::read));
      } catch (IllegalArgumentException e) {
        throw QueryRefusal.invalid("values", String.valueOf(e.getMessage()));
      }
    }
    if (edit.action() == Edit.Action.SET && values.isEmpty()) {
      throw QueryRefusal.invalid("values", "values is empty: name a property to set");
    }
    if (edit.action() == Edit.Action.DELETE && !values.isEmpty()) {
      throw QueryRefusal.invalid("values", "a deletion sets nothing; leave values out");
    }
    return values;
  }

  private static Property property(ObjectType type, String name) {
    if (type.primaryKey().contains(name)) {
      throw QueryRefusal.invalid(
          "values", "'" + name + "' is of the primary key, which no edit changes; make another");
    }
    return type.properties().stream()
        .filter(property -> property.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                QueryRefusal.invalid(
                    "values", "'" + type.name() + "' has no property '" + name + "'"));
  }

  private static void checkExistence(View view, String key, Edit.Action action) throws IOException {
    boolean isThere = new ObjectSearch(view).find(key).isPresent();
    if (action == Edit.Action.CREATE && isThere) {
      throw new QueryRefusal(
          QueryRefusal.Kind.CONFLICT, "key", "'" + key + "' is there already; set its properties");
    }
    if (action != Edit.Action.CREATE && !isThere) {
      throw new QueryRefusal(
          QueryRefusal.Kind.NOT_FOUND,
          "key",
          "there is no '%s' of '%s'; create it first".formatted(key, view.type().name()));
    }
  }

  private static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + text, e);
    }
  }
}
