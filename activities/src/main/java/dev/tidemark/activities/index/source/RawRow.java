package dev.tidemark.activities.index.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.index.object.Values;
import dev.tidemark.workflows.index.Property;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row as its format has it. */
interface RawRow {

  boolean has(String column);

  /**
   * The value of a property; null where there is none.
   *
   * @throws IllegalArgumentException if it is no value of the property's type
   */
  @Nullable Object value(Property property);

  /** A number, a time or a text as a text; null where there is none. */
  @Nullable String text(String column);

  /** Takes rows. */
  interface Sink {
    void row(RawRow row) throws IOException;
  }

  /** A JSON object: a column that it lacks is null. */
  record OfJson(JsonNode object) implements RawRow {
    @Override
    public boolean has(String column) {
      return object.has(column);
    }

    @Override
    public @Nullable Object value(Property property) {
      return Values.fromJson(property, object.path(property.name()));
    }

    @Override
    public @Nullable String text(String column) {
      JsonNode value = object.path(column);
      return value.isMissingNode() || value.isNull() ? null : value.asText();
    }
  }

  /**
   * Values of columns, as texts or as Java has them.
   *
   * @param columns the place of each, by name
   */
  record OfColumns(Map<String, Integer> columns, List<? extends @Nullable Object> values)
      implements RawRow {
    @Override
    public boolean has(String column) {
      return columns.containsKey(column);
    }

    @Override
    public @Nullable Object value(Property property) {
      return Values.fromJava(property, get(property.name()));
    }

    @Override
    public @Nullable String text(String column) {
      Object value = get(column);
      return value == null ? null : value.toString();
    }

    private @Nullable Object get(String column) {
      Integer at = columns.get(column);
      if (at == null) {
        throw new IllegalArgumentException(
            "there is no column '" + column + "'; there are " + columns.keySet());
      }
      return values.get(at);
    }
  }
}
