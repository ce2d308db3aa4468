package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.source.Found;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the datasources of an index have. Looks overlap: a later one knows more, whichever ends
 * first.
 *
 * @param number of {@link Looks#next}, taken before the datasources were asked
 * @param index whose datasources they are; null if there was none
 * @param found what each datasource has, by its name
 */
public record Look(long number, @Nullable Long index, Map<String, List<Found>> found) {
  public Look {
    found = Map.copyOf(found);
  }
}
