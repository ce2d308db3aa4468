package dev.tidemark.activities.index.query;

import dev.tidemark.workflows.index.ObjectType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of an answer.
 *
 * @param type as it was in that generation
 * @param total of all pages, exactly
 * @param next cursor of the page after this one; null where this is the last
 */
public record FoundObjects(
    Generation generation,
    ObjectType type,
    long total,
    List<FoundObject> objects,
    @Nullable String next) {
  public FoundObjects {
    objects = List.copyOf(objects);
  }
}
