package dev.tidemark.activities.index.object;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of one object, seen or not: what the next change is merged with.
 *
 * @param rows the newest of each datasource, in their order; null where there never was one
 * @param existence what people last said of it being there; null if nothing
 * @param edited what people last set, by property
 */
public record ObjectState(
    List<@Nullable SourceRow> rows,
    @Nullable Existence existence,
    SortedMap<String, EditedValue> edited) {
  public ObjectState {
    rows = Collections.unmodifiableList(new ArrayList<>(rows));
    edited = Collections.unmodifiableSortedMap(new TreeMap<>(edited));
  }

  /** An object of which nothing is known yet. */
  public static ObjectState unknown(int datasources) {
    return new ObjectState(Collections.nCopies(datasources, null), null, new TreeMap<>());
  }

  /** Made or deleted by a person. */
  public record Existence(boolean created, long offset, Instant at) {}

  /** A value that a person set. */
  public record EditedValue(@Nullable Object value, long offset, Instant at) {}

  /** With a row of a datasource, unless there is a newer one (hudi 7335). */
  public ObjectState with(int datasource, SourceRow row) {
    SourceRow stored = rows.get(datasource);
    if (stored != null && !row.replaces(stored)) {
      return this;
    }
    List<@Nullable SourceRow> changed = new ArrayList<>(rows);
    changed.set(datasource, row);
    return new ObjectState(changed, existence, edited);
  }

  /** With an edit; one that is known already changes nothing. */
  public ObjectState with(Edit edit) {
    Existence said = existence;
    SortedMap<String, EditedValue> changed = new TreeMap<>(edited);
    if (edit.action() != Edit.Action.SET && (said == null || said.offset() < edit.offset())) {
      said = new Existence(edit.action() == Edit.Action.CREATE, edit.offset(), edit.madeAt());
    }
    for (Map.Entry<String, @Nullable Object> value : edit.values().entrySet()) {
      EditedValue now = new EditedValue(value.getValue(), edit.offset(), edit.madeAt());
      changed.merge(
          value.getKey(), now, (old, newer) -> old.offset() < newer.offset() ? newer : old);
    }
    return new ObjectState(rows, said, changed);
  }
}
