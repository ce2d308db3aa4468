package dev.tidemark.activities.index.object;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One edit of one object by a person.
 *
 * @param offset its place among the edits of the object type, from 1, without gaps
 * @param key of the object
 * @param values of the properties that it sets, by name; empty for a deletion
 * @param madeAt by the database's clock
 */
public record Edit(
    long offset, String key, Action action, Map<String, @Nullable Object> values, Instant madeAt) {
  public Edit {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** What an edit does. */
  public enum Action {
    /** Makes an object that is not there, or brings back one that was deleted. */
    CREATE,
    /** Sets properties of an object that is there. */
    SET,
    DELETE
  }
}
