package dev.tidemark.activities.index.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectKey;
import dev.tidemark.activities.index.object.Values;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Edits as an index sees them: with what its definition says of those made under earlier ones. */
final class EditReading {
  private static final Logger LOG = LoggerFactory.getLogger(EditReading.class);

  private final ObjectType type;
  private final List<MigratedEdits> migrations;

  EditReading(ObjectType type, List<MigratedEdits> migrations) {
    this.type = type;
    this.migrations = migrations;
  }

  /** An edit as it was made. */
  record Made(
      long offset, String key, Edit.Action action, Map<String, JsonNode> values, Instant madeAt) {}

  /** The edit, or empty where nothing is left of it: also if its key is none of the type. */
  Optional<Edit> read(Made made) {
    if (!ObjectKey.isCanonical(type, made.key())) {
      LOG.info("edit {} is left out: its key is none of '{}'", made.offset(), type.name());
      return Optional.empty();
    }
    Map<String, JsonNode> values = made.values();
    for (MigratedEdits migrated : migrations) {
      boolean before = made.offset() <= migrated.through();
      if (before && migrated.migrations().contains(new EditMigration.DropAll())) {
        return Optional.empty();
      }
      values = migrated(values, migrated.migrations(), before);
    }
    if (made.action() == Edit.Action.SET && values.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Edit(made.offset(), made.key(), made.action(), typed(made, values), made.madeAt()));
  }

  /**
   * What one definition makes of the values. All names are those before it: where two properties
   * take each other's place, so do their values.
   *
   * @param before whether they were set under an earlier one
   */
  private Map<String, JsonNode> migrated(
      Map<String, JsonNode> values, List<EditMigration> migrations, boolean before) {
    Map<String, JsonNode> left = new LinkedHashMap<>(values);
    Map<String, JsonNode> moved = new LinkedHashMap<>();
    for (EditMigration migration : migrations) {
      if (migration instanceof EditMigration.Drop drop && before) {
        left.remove(drop.property());
      } else if (migration instanceof EditMigration.Move move && (before || isGone(move.from()))) {
        JsonNode value = left.remove(move.from());
        if (value != null) {
          moved.put(move.to(), value);
        }
      }
    }
    left.putAll(moved);
    return left;
  }

  /** Nobody can have meant it as it is now: it was set under another definition. */
  private boolean isGone(String property) {
    return type.properties().stream().noneMatch(one -> one.name().equals(property));
  }

  /**
   * What was set under another definition, after a rollback, may be of no property here, or no
   * value of it: the edit is kept, and this index does not see that part of it.
   */
  private Map<String, @Nullable Object> typed(Made made, Map<String, JsonNode> values) {
    Map<String, @Nullable Object> typed = new LinkedHashMap<>();
    for (Property property : type.properties()) {
      JsonNode value = values.get(property.name());
      if (value != null) {
        try {
          typed.put(property.name(), Values.fromJson(property, value));
        } catch (IllegalArgumentException misfit) {
          LOG.info(
              "edit {} of '{}' is left out: {}", made.offset(), type.name(), misfit.getMessage());
        }
      }
    }
    return typed;
  }
}
