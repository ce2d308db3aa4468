package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;

/**
 * A property of an object type.
 *
 * @param name as the columns of its datasources are called
 * @param text whether its words can be searched; strings only
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Property(String name, ColumnType type, boolean text) {
  public Property {
    if (!Column.isName(name)) {
      throw new IllegalArgumentException("property '" + name + "' must be " + Column.NAME_RULE);
    }
    if (text && type.kind() != ColumnType.Kind.STRING) {
      throw new IllegalArgumentException(
          "property '" + name + "' is searched by its words, so it must be a string: " + type);
    }
  }

  /** Whether its values tell objects apart: equal ones have one text. */
  public boolean isKeyable() {
    return switch (type.kind()) {
      case BOOLEAN, INT, BIGINT, DECIMAL, STRING, DATE, TIMESTAMP -> true;
      case DOUBLE, JSON, BYTES -> false;
    };
  }
}
