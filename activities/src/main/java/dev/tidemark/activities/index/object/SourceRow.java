package dev.tidemark.activities.index.object;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest row of an object in one datasource, or its tombstone, which is kept with its ordering:
 * an older row that comes later must not bring the object back (paimon 5387, hudi 17642).
 *
 * @param transaction number of the datasource's transaction that it came with
 * @param ordering of a change: a Long, a {@link BigDecimal}, an {@link Instant} or a String; null
 *     where transactions alone are ordered
 * @param values one for each property that the datasource gives, in its order; null is a tombstone.
 *     Boolean, Long (int and bigint), Double, BigDecimal, String (string and json), LocalDate,
 *     Instant or byte[]
 */
public record SourceRow(
    long transaction, @Nullable Comparable<?> ordering, @Nullable List<@Nullable Object> values) {
  public SourceRow {
    values = values == null ? null : Collections.unmodifiableList(new ArrayList<>(values));
  }

  public boolean isTombstone() {
    return values == null;
  }

  /**
   * Whether this row takes the place of another one: by their ordering where both have one, else,
   * and where that is equal, the one of the later transaction (D14, hudi 3266).
   */
  public boolean replaces(SourceRow other) {
    if (ordering != null && other.ordering != null) {
      int compared = Ordering.compare(ordering, other.ordering);
      if (compared != 0) {
        return compared > 0;
      }
    }
    return transaction >= other.transaction;
  }

  /** Whether the orderings of two rows are equal, or neither has one. */
  public boolean isOrderedAs(SourceRow other) {
    return ordering == null
        ? other.ordering == null
        : other.ordering != null && Ordering.compare(ordering, other.ordering) == 0;
  }

  /** Whether another row says the same of the object, whenever it came. */
  public boolean saysTheSame(SourceRow other) {
    if (values == null || other.values == null) {
      return isTombstone() && other.isTombstone() && isOrderedAs(other);
    }
    return isOrderedAs(other) && Arrays.deepEquals(values.toArray(), other.values.toArray());
  }
}
