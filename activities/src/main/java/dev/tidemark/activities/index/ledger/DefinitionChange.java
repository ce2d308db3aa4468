package dev.tidemark.activities.index.ledger;

import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one definition of an object type differs from another (D8): in place, or so that another
 * index is needed.
 *
 * @param before the definition of the live index
 */
record DefinitionChange(ObjectType before, ObjectType after) {

  /** All but its rhythm is in every object of an index, or decides what is. */
  boolean needsReplacement() {
    return !inEveryObject(before).equals(inEveryObject(after)) || !newMigrations().isEmpty();
  }

  private static List<Object> inEveryObject(ObjectType type) {
    return List.of(
        type.primaryKey(),
        type.properties(),
        type.datasources(),
        type.edits().conflicts(),
        type.edits().keepsEdited(),
        type.location());
  }

  /** Those that the definition brings; what it still says of an earlier change is done. */
  List<EditMigration> newMigrations() {
    return after.edits().migrations().stream()
        .filter(migration -> !before.edits().migrations().contains(migration))
        .toList();
  }

  /**
   * What people have to decide before it can be applied, or what of their decision makes no sense.
   *
   * @param edited the properties of the definition before that people have ever set
   * @param hasEdits whether people have ever edited an object at all
   */
  List<String> undecided(Collection<String> edited, boolean hasEdits) {
    List<String> undecided = new ArrayList<>();
    List<EditMigration> migrations = newMigrations();
    migrations.forEach(migration -> check(migration).ifPresent(undecided::add));
    boolean allDropped = migrations.stream().anyMatch(EditMigration.DropAll.class::isInstance);
    if (allDropped || !hasEdits) {
      return undecided;
    }
    if (!before.primaryKey().equals(after.primaryKey())) {
      undecided.add(
          "the primary key was %s and is to be %s, and edits name objects by it: migrate-edits must be [drop-all]"
              .formatted(before.primaryKey(), after.primaryKey()));
    }
    for (String name : edited) {
      Property old = property(before, name);
      if (old != null && migrations.stream().noneMatch(migration -> decides(migration, name))) {
        undecided(old, property(after, name)).ifPresent(undecided::add);
      }
    }
    return undecided;
  }

  private static Optional<String> undecided(Property old, @Nullable Property now) {
    if (now != null && now.type().equals(old.type())) {
      return Optional.empty();
    }
    String name = old.name();
    return Optional.of(
        "people have edited '%s', which %s: migrate-edits must say {move: {from: %s, to: ...}}, {drop: %s} or drop-all"
            .formatted(
                name,
                now == null
                    ? "is gone"
                    : "was %s and is to be %s".formatted(old.type(), now.type()),
                name,
                name));
  }

  private Optional<String> check(EditMigration migration) {
    String name =
        migration instanceof EditMigration.Move move
            ? move.from()
            : migration instanceof EditMigration.Drop drop ? drop.property() : null;
    Property from = name == null ? null : property(before, name);
    if (name != null && from == null) {
      return Optional.of(
          "migrate-edits names '%s', which the definition before does not have; it has %s"
              .formatted(name, before.properties().stream().map(Property::name).toList()));
    }
    Property to = migration instanceof EditMigration.Move move ? property(after, move.to()) : null;
    if (from != null && to != null && !from.type().equals(to.type())) {
      return Optional.of(
          "migrate-edits moves '%s', %s, to '%s', %s; they must be of one type"
              .formatted(from.name(), from.type(), to.name(), to.type()));
    }
    return Optional.empty();
  }

  private static boolean decides(EditMigration migration, String name) {
    return migration instanceof EditMigration.Move move
        ? move.from().equals(name)
        : migration instanceof EditMigration.Drop drop && drop.property().equals(name);
  }

  private static @Nullable Property property(ObjectType type, String name) {
    return type.properties().stream()
        .filter(property -> property.name().equals(name))
        .findFirst()
        .orElse(null);
  }
}
