package dev.tidemark.activities.index.ledger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.source.Found;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.index.SwitchOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Object types of a ledger, whose files nobody writes. */
final class TypeScene {
  final LedgerTestDatabase database;
  final String name = "type-" + UUID.randomUUID().toString().substring(0, 8);
  final ObjectDefinitions definitions;
  final ObjectIndexes indexes;
  final Builds builds;
  final Replacements replacements;
  final ServingProcesses processes;
  final Edits edits;
  private final List<Found> found = new ArrayList<>();

  TypeScene(LedgerTestDatabase database) {
    this.database = database;
    this.definitions = new ObjectDefinitions(database.dataSource());
    this.indexes = new ObjectIndexes(database.dataSource());
    this.builds = new Builds(database.dataSource());
    this.replacements = new Replacements(database.dataSource());
    this.processes = new ServingProcesses(database.dataSource());
    this.edits = new Edits(database.dataSource());
  }

  /** With an append datasource of files and these properties: {@code name type}. */
  ObjectType type(List<EditMigration> migrations, String... properties) {
    return type(new Datasource.Append(), new Datasource.FromFiles("f"), migrations, properties);
  }

  ObjectType type(
      Datasource.Kind kind,
      Datasource.Origin origin,
      List<EditMigration> migrations,
      String... properties) {
    List<Property> all = new ArrayList<>();
    all.add(new Property("id", ColumnType.parse("bigint"), false));
    Arrays.stream(properties)
        .map(text -> text.split(" "))
        .forEach(pair -> all.add(new Property(pair[0], ColumnType.parse(pair[1]), false)));
    return new ObjectType(
        name,
        List.of("id"),
        all,
        List.of(new Datasource("d", origin, kind, all.stream().map(Property::name).toList())),
        new EditRules(EditRules.DEFAULT.conflicts(), false, migrations),
        Rhythm.DEFAULT,
        "objects");
  }

  void register(String... properties) {
    definitions.register(type(List.of(), properties));
  }

  /** The datasource has this too, from now on. */
  void has(String identity, String version) {
    found.removeIf(one -> one.identity().equals(identity));
    found.add(new Found(identity, version, Instant.parse("2026-01-01T00:00:00Z")));
  }

  void hasNoMore(String identity) {
    found.removeIf(one -> one.identity().equals(identity));
  }

  BuildDecision begin() {
    return begin(false, false);
  }

  BuildDecision begin(boolean replacement, boolean asked) {
    return begin(replacement, asked, look(replacement));
  }

  BuildDecision begin(boolean replacement, boolean asked, Look look) {
    return builds.begin(new BuildRequest(name, replacement, asked), look);
  }

  /** What the datasource has now. */
  Look look(boolean replacement) {
    Long index =
        indexes
            .in(name, replacement ? ObjectIndex.Role.REPLACEMENT : ObjectIndex.Role.LIVE)
            .map(ObjectIndex::id)
            .orElse(null);
    return new Look(
        new Looks(database.dataSource()).next(), index, Map.of("d", List.copyOf(found)));
  }

  /** The replacement is to take over. */
  SwitchOutcome tryToSwitch() {
    int revision =
        indexes
            .in(name, ObjectIndex.Role.REPLACEMENT)
            .map(ObjectIndex::revision)
            .orElse(Integer.MAX_VALUE);
    return replacements.tryToSwitch(name, revision);
  }

  /** Begins a build, and has it succeed. */
  Build build(boolean replacement) {
    return build(replacement, 1);
  }

  Build build(boolean replacement, long objects) {
    Build build = Optional.ofNullable(begin(replacement, false).build()).orElseThrow();
    builds.settle(build, new Builds.Made("manifest-" + build.token(), 1, objects));
    return build;
  }

  ObjectIndex live() {
    return indexes.in(name, ObjectIndex.Role.LIVE).orElseThrow();
  }

  ObjectIndex replacement() {
    return indexes.in(name, ObjectIndex.Role.REPLACEMENT).orElseThrow();
  }

  /** An edit of the index that is served. */
  long edit(String key, String property, String value) {
    return edits
        .append(
            indexes.served(name).orElseThrow(),
            new NewEdit(
                UUID.randomUUID().toString(),
                key,
                Edit.Action.SET,
                JsonNodeFactory.instance.objectNode().put(property, value),
                "test"),
            Long.MAX_VALUE - 1)
        .orElseThrow()
        .offset();
  }

  /** What an index sees of all edits: {@code offset key property=value}. */
  List<String> seen(ObjectIndex index) {
    return edits.after(index, 0, 100).edits().stream()
        .map(edit -> edit.offset() + " " + edit.key() + " " + edit.values())
        .toList();
  }

  void execute(String sql) {
    database.execute(
        sql.replace(
            ":type",
            "(select object_type_id from tidemark.object_type where name = '" + name + "')"));
  }
}
