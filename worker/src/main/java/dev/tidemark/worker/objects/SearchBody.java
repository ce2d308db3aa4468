package dev.tidemark.worker.objects;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.index.query.Filter;
import dev.tidemark.activities.index.query.FilterReader;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.query.ObjectQuery.Sorting;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.workflows.index.ObjectType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is looked for, as a request says it; all of it may be left out. */
record SearchBody(
    @Nullable JsonNode filter,
    @Nullable String text,
    @Nullable List<Sorted> sort,
    @Nullable Integer limit,
    @Nullable String cursor,
    @Nullable Long afterEdit) {

  /** A property, and {@code asc} or {@code desc}; ascending where nothing is said. */
  record Sorted(@Nullable String property, @Nullable String order) {
    private Sorting sorting() {
      if (property == null) {
        throw HttpFailure.invalid("sort", "each of sort must name its property");
      }
      return switch (Objects.requireNonNullElse(order, "asc")) {
        case "asc" -> new Sorting(property, false);
        case "desc" -> new Sorting(property, true);
        default -> throw HttpFailure.invalid("sort", "order '" + order + "' must be asc or desc");
      };
    }
  }

  ObjectQuery query(ObjectType type) {
    return new ObjectQuery(
        filter == null || filter.isNull() ? Filter.EVERY : FilterReader.read(type, filter),
        text == null || text.isBlank() ? null : text,
        sort == null ? List.of() : sort.stream().map(Sorted::sorting).toList(),
        limit == null ? ObjectQuery.ALL.limit() : limit,
        cursor);
  }

  long after() {
    return afterEdit == null ? 0 : afterEdit;
  }
}
