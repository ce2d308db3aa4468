package dev.tidemark.activities.index.object;

import dev.tidemark.activities.index.object.ObjectState.EditedValue;
import dev.tidemark.activities.index.object.ObjectState.Existence;
import dev.tidemark.workflows.index.Conflicts;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people see of an object, out of what is known of it: pure, and the same for the index that
 * is built and for the edits that are applied to the one that is served.
 */
public final class Merge {
  private final ObjectType type;
  private final List<int[]> targets;

  /** Which datasource and column the time of a row is in; null where edits always win. */
  private final int @Nullable [] rowTime;

  public Merge(ObjectType type) {
    this.type = type;
    this.targets =
        type.datasources().stream()
            .map(source -> source.properties().stream().mapToInt(type::indexOf).toArray())
            .toList();
    this.rowTime =
        type.edits().conflicts() instanceof Conflicts.NewestWins newest
            ? place(newest.property())
            : null;
  }

  private int[] place(String property) {
    List<Datasource> sources = type.datasources();
    for (int i = 0; i < sources.size(); i++) {
      int column = sources.get(i).properties().indexOf(property);
      if (column >= 0) {
        return new int[] {i, column};
      }
    }
    throw new IllegalArgumentException("no datasource gives '" + property + "'");
  }

  /**
   * The values of the object, one for each property of the type in its order, or empty if it is not
   * there. It is there while a datasource has a row of it, or a person made it, and no person
   * deleted it.
   */
  public Optional<List<@Nullable Object>> visible(String key, ObjectState state) {
    Instant time = rowTime(state);
    boolean inSource = state.rows().stream().anyMatch(row -> row != null && !row.isTombstone());
    Existence said = state.existence();
    boolean there;
    if (said != null && isNewer(said.at(), time)) {
      there = said.created();
    } else {
      there = inSource || (type.edits().keepsEdited() && !state.edited().isEmpty());
    }
    if (!there) {
      return Optional.empty();
    }
    @Nullable Object[] values = new Object[type.properties().size()];
    for (int i = 0; i < targets.size(); i++) {
      SourceRow row = state.rows().get(i);
      if (row != null && row.values() != null) {
        for (int j = 0; j < targets.get(i).length; j++) {
          values[targets.get(i)[j]] = row.values().get(j);
        }
      }
    }
    state.edited().forEach((name, edited) -> applyTo(values, name, edited, time));
    ObjectKey.parse(type, key).forEach((name, value) -> values[type.indexOf(name)] = value);
    return Optional.of(Collections.unmodifiableList(new ArrayList<>(Arrays.asList(values))));
  }

  private void applyTo(
      @Nullable Object[] values, String name, EditedValue edited, @Nullable Instant time) {
    if (isNewer(edited.at(), time)) {
      values[type.indexOf(name)] = edited.value();
    }
  }

  private static boolean isNewer(Instant edit, @Nullable Instant row) {
    return row == null || edit.isAfter(row);
  }

  /** When the object's row was true, where that decides; else null: any edit is newer. */
  private @Nullable Instant rowTime(ObjectState state) {
    if (rowTime == null) {
      return null;
    }
    SourceRow row = state.rows().get(rowTime[0]);
    return row == null || row.values() == null ? null : (Instant) row.values().get(rowTime[1]);
  }
}
