package dev.tidemark.activities.index.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which objects are looked for, in which order, and how many of them.
 *
 * @param text words that are looked for in the properties with {@code text: true}; all of them must
 *     be there. Null for none
 * @param sort most important first; then by key. Without any, what fits the text best is first
 * @param limit of objects in one answer, from 1 to {@value #MOST}
 * @param cursor of the answer before this one, as it says what is next; null for the first
 */
public record ObjectQuery(
    Filter filter, @Nullable String text, List<Sorting> sort, int limit, @Nullable String cursor) {
  /** Of objects in one answer. */
  public static final int MOST = 500;

  /** By key, as many as is usual. */
  public static final ObjectQuery ALL = new ObjectQuery(Filter.EVERY, null, List.of(), 50, null);

  private static final int MOST_SORTED = 8;
  private static final int LONGEST_TEXT = 1_000;

  public ObjectQuery {
    sort = List.copyOf(sort);
    if (limit < 1 || limit > MOST) {
      throw QueryRefusal.invalid("limit", "limit " + limit + " must be from 1 to " + MOST);
    }
    if (sort.size() > MOST_SORTED) {
      throw QueryRefusal.invalid("sort", "sort may name " + MOST_SORTED + " properties");
    }
    if (text != null && text.length() > LONGEST_TEXT) {
      throw QueryRefusal.invalid("text", "text may have " + LONGEST_TEXT + " characters");
    }
  }

  /**
   * Objects without the property are last in either order.
   *
   * @param property any but of type json or bytes
   */
  public record Sorting(String property, boolean descending) {}

  /** The same, going on where an answer ended. */
  public ObjectQuery from(@Nullable String next) {
    return new ObjectQuery(filter, text, sort, limit, next);
  }
}
