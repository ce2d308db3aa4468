package dev.tidemark.activities.index.query;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object that is there.
 *
 * @param key as text
 * @param values of all properties, by name, in the type's order
 */
public record FoundObject(String key, Map<String, @Nullable Object> values) {
  public FoundObject {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
