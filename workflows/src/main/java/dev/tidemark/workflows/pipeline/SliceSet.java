package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A set of slices: a cartesian product written down, or the rows of a query (A16, A17). */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = SliceSet.Product.class, name = "product"),
  @JsonSubTypes.Type(value = SliceSet.Query.class, name = "query")
})
public sealed interface SliceSet {

  /**
   * Every combination of the values of each dimension.
   *
   * @param since label or date of the first window that has these slices, E(q) (A21); null for the
   *     pipeline's start
   * @param until label or date of the first window that has them no more; null for no end
   */
  record Product(
      SortedMap<String, List<String>> values, @Nullable String since, @Nullable String until)
      implements SliceSet {

    /** Slices without an end. */
    public Product(SortedMap<String, List<String>> values, @Nullable String since) {
      this(values, since, null);
    }
  }

  /** The rows of a query: one column per dimension, and optionally {@code since, until}. */
  record Query(String sql, String connection) implements SliceSet {}
}
