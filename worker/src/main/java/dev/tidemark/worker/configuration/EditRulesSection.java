package dev.tidemark.worker.configuration;

import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Conflicts;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what edits count beside datasources: conflicts, deletes, migrate-edits. */
final class EditRulesSection {
  private enum Deletes {
    SOURCE_WINS,
    KEEP_EDITED
  }

  private static final Type<Conflicts> CONFLICTS =
      new Type<>(
          "edits-win or {newest-wins: a timestamp property}",
          text -> text.equals("edits-win") ? new Conflicts.EditsWin() : null);

  private static final Type<EditMigration> MIGRATION =
      new Type<>(
          "{move: {from: a, to: b}}, {drop: a} or drop-all",
          text -> text.equals("drop-all") ? new EditMigration.DropAll() : null);

  private final Section section;
  private final Map<String, Property> properties;
  private final List<String> key;

  EditRulesSection(Section section, Map<String, Property> properties, List<String> key) {
    this.section = section;
    this.properties = properties;
    this.key = key;
  }

  EditRules read() {
    Deletes deletes = section.get("deletes", Types.choice(Deletes.class), Deletes.SOURCE_WINS);
    List<EditMigration> migrations = new ArrayList<>();
    for (Value value : section.list("migrate-edits")) {
      EditMigration migration = migration(value);
      if (migration != null) {
        migrations.add(migration);
      }
    }
    return new EditRules(
        conflicts(section.value("conflicts")), deletes == Deletes.KEEP_EDITED, migrations);
  }

  private Conflicts conflicts(@Nullable Value value) {
    if (value == null || isNoSection(value)) {
      Conflicts said = value == null ? null : value.as(CONFLICTS);
      return said == null ? new Conflicts.EditsWin() : said;
    }
    Section newest = value.section();
    newest.only(List.of("newest-wins"), Later.KEYS);
    String name = newest.require("newest-wins", Type.TEXT);
    if (name == null) {
      return new Conflicts.EditsWin();
    }
    Property property = properties.get(name);
    if (property == null) {
      newest.problem(
          "newest-wins", "'" + name + "' is no property" + PropertyNames.hint(name, properties));
    } else if (property.type().kind() != ColumnType.Kind.TIMESTAMP) {
      newest.problem(
          "newest-wins",
          "'%s' is %s, and must be a timestamp: a day does not say which came last"
              .formatted(name, property.type()));
    } else if (key.contains(name)) {
      newest.problem(
          "newest-wins", "'" + name + "' is of the primary key, and so of every datasource");
    }
    return new Conflicts.NewestWins(name);
  }

  private @Nullable EditMigration migration(Value value) {
    if (isNoSection(value)) {
      return value.as(MIGRATION);
    }
    Section one = value.section();
    one.only(List.of("move", "drop"), Later.KEYS);
    if (one.has("move") == one.has("drop")) {
      one.problem("", "must be " + MIGRATION.expected());
      return null;
    }
    if (one.has("drop")) {
      String property = one.get("drop", Type.TEXT);
      return property == null ? null : new EditMigration.Drop(property);
    }
    Section move = one.section("move");
    move.only(List.of("from", "to"), Later.KEYS);
    String from = move.require("from", Type.TEXT);
    String to = move.require("to", Type.TEXT);
    if (to != null && !properties.containsKey(to)) {
      move.problem("to", "'" + to + "' is no property" + PropertyNames.hint(to, properties));
    } else if (to != null && key.contains(to)) {
      move.problem("to", "'" + to + "' is of the primary key, which no edit sets");
    } else if (to != null && to.equals(from)) {
      move.problem("to", "'" + to + "' is where the edits are already");
    }
    return from == null || to == null ? null : new EditMigration.Move(from, to);
  }

  private static boolean isNoSection(Value value) {
    return value.isText() || value.isList() || value.isNothing();
  }
}
