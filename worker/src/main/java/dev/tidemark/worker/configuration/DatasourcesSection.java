package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Nearest;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.Datasource.Kind;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the datasources of one object type, and which properties each of them gives. */
final class DatasourcesSection {
  /** What the helpers for changes of rows call the rank of a row (D20). */
  private static final String RESERVED = "__latest_rank";

  private static final List<String> KEYS =
      List.of(
          "name",
          "pipeline",
          "slice",
          "sql",
          "connection",
          "version",
          "files",
          "kind",
          "ordering",
          "deletion",
          "properties");

  private static final Set<ColumnType.Kind> ORDERED =
      EnumSet.of(
          ColumnType.Kind.INT,
          ColumnType.Kind.BIGINT,
          ColumnType.Kind.DECIMAL,
          ColumnType.Kind.TIMESTAMP,
          ColumnType.Kind.STRING);

  private enum Kinds {
    SNAPSHOT,
    APPEND,
    CDC
  }

  private final Section type;
  private final OriginSection origins;

  DatasourcesSection(
      Section type, ConnectionsSection connections, List<PipelineDefinition> pipelines) {
    this.type = type;
    this.origins = new OriginSection(connections, pipelines);
  }

  /** Those that could be read; every problem is reported. */
  List<Datasource> read(Map<String, Property> properties, List<String> key) {
    List<Value> items = type.list("datasources");
    if (items.isEmpty()) {
      type.problem("datasources", "must name at least one: [{name: crm, pipeline: crm-customers}]");
    }
    List<Datasource> datasources = new ArrayList<>();
    Map<String, String> givers = new LinkedHashMap<>();
    for (Value item : items) {
      Section section = item.section();
      section.only(KEYS, Later.KEYS);
      String name = section.require("name", Types.NAME);
      Datasource.Origin origin = origins.read(section);
      Kind kind = kind(section, properties, key);
      List<String> given = given(section, items.size() == 1, properties, key);
      if (name == null || origin == null || kind == null) {
        given.forEach(property -> givers.putIfAbsent(property, String.valueOf(name)));
        continue;
      }
      if (datasources.stream().anyMatch(other -> other.name().equals(name))) {
        section.problem("name", "'" + name + "' is the name of another datasource too; rename one");
      }
      for (String property : given) {
        String other = key.contains(property) ? null : givers.putIfAbsent(property, name);
        if (other != null) {
          section.problem(
              "properties",
              "'%s' is given by datasource '%s' too; a property comes from one"
                  .formatted(property, other));
        }
      }
      datasources.add(new Datasource(name, origin, kind, given));
    }
    for (String property : properties.keySet()) {
      if (!items.isEmpty() && !key.contains(property) && !givers.containsKey(property)) {
        type.problem(
            "properties",
            "'" + property + "' is given by no datasource; name it in one, or remove it");
      }
    }
    return datasources;
  }

  /** The primary key first, then the others in the order of the object type. */
  private static List<String> given(
      Section section, boolean only, Map<String, Property> properties, List<String> key) {
    Value value = section.value("properties");
    List<String> named = value == null ? List.of() : value.list(Type.TEXT);
    for (String name : named) {
      if (!properties.containsKey(name) && value != null) {
        value.problem("'" + name + "' is no property" + PropertyNames.hint(name, properties));
      }
    }
    if (value == null && !only) {
      section.problem(
          "properties", "is missing; with several datasources each says which properties it gives");
    }
    List<String> given = new ArrayList<>(key);
    properties.keySet().stream()
        .filter(name -> !key.contains(name))
        .filter(name -> value == null ? only : named.contains(name))
        .forEach(given::add);
    return given;
  }

  private static @Nullable Kind kind(
      Section section, Map<String, Property> properties, List<String> key) {
    Kinds kind = section.require("kind", Types.choice(Kinds.class));
    if (kind != Kinds.CDC) {
      for (String column : List.of("ordering", "deletion")) {
        if (kind != null && section.has(column)) {
          section.problem(column, "belongs to kind: cdc; remove it, or say so");
        }
      }
      return kind == null
          ? null
          : kind == Kinds.SNAPSHOT ? new Datasource.Snapshot() : new Datasource.Append();
    }
    String ordering = section.require("ordering", ExportSection.COLUMN);
    String deletion = section.get("deletion", ExportSection.COLUMN);
    refuseReserved(section, "ordering", ordering);
    refuseReserved(section, "deletion", deletion);
    if (ordering != null && ordering.equals(deletion)) {
      section.problem("deletion", "'" + deletion + "' is the ordering; they are two columns");
    }
    Property ordered = ordering == null ? null : properties.get(ordering);
    if (ordered != null && !ORDERED.contains(ordered.type().kind())) {
      section.problem(
          "ordering",
          "'%s' is %s; changes are ordered by a number, a timestamp or a text"
              .formatted(ordering, ordered.type()));
    }
    if (deletion != null && key.contains(deletion)) {
      section.problem("deletion", "'" + deletion + "' is of the primary key");
    }
    Property deleted = deletion == null ? null : properties.get(deletion);
    if (deleted != null && deleted.type().kind() != ColumnType.Kind.BOOLEAN) {
      section.problem(
          "deletion", "'%s' is %s, and must be boolean".formatted(deletion, deleted.type()));
    }
    return ordering == null ? null : new Datasource.Cdc(ordering, deletion);
  }

  static void refuseReserved(Section section, String key, @Nullable String column) {
    if (RESERVED.equals(column)) {
      section.problem(key, "'" + RESERVED + "' is reserved: changes are ranked under that name");
    }
  }

  /** What one datasource reads. */
  private record OriginSection(ConnectionsSection connections, List<PipelineDefinition> pipelines) {
    private static final List<String> KINDS = List.of("pipeline", "sql", "files");

    Datasource.@Nullable Origin read(Section section) {
      List<String> kinds = KINDS.stream().filter(section::has).toList();
      if (kinds.size() != 1) {
        section.problem(
            "",
            "must have one of %s, and has %s"
                .formatted(
                    String.join(", ", KINDS),
                    kinds.isEmpty() ? "none" : String.join(" and ", kinds)));
        return null;
      }
      String kind = kinds.get(0);
      only(section, kind, "slice", "pipeline");
      only(section, kind, "connection", "sql");
      only(section, kind, "version", "sql");
      return switch (kind) {
        case "pipeline" -> pipeline(section);
        case "sql" -> sql(section);
        default -> files(section);
      };
    }

    private static void only(Section section, String kind, String key, String owner) {
      if (section.has(key) && !kind.equals(owner)) {
        section.problem(
            key, "belongs to %s, and this one is of %s; remove it".formatted(owner, kind));
      }
    }

    private Datasource.@Nullable Origin pipeline(Section section) {
      String name = section.get("pipeline", Type.TEXT);
      Section values = section.section("slice");
      Map<String, String> slice = new LinkedHashMap<>();
      for (String dimension : values.keys()) {
        String value = values.get(dimension, Type.TEXT);
        if (value != null) {
          slice.put(dimension, value);
        }
      }
      if (name == null) {
        return null;
      }
      PipelineDefinition pipeline =
          pipelines.stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
      if (pipeline == null) {
        List<String> names = pipelines.stream().map(PipelineDefinition::name).toList();
        section.problem(
            "pipeline", "'" + name + "' is no pipeline here" + Nearest.hint(name, names));
      } else if (pipeline.output() == null) {
        section.problem(
            "pipeline", "'" + name + "' has no output; an object type reads what it publishes");
      } else {
        checkSlice(section, pipeline, slice);
      }
      return new Datasource.FromPipeline(name, slice);
    }

    /** The dimensions are known where the slices are written down. */
    private static void checkSlice(
        Section section, PipelineDefinition pipeline, Map<String, String> slice) {
      Set<String> dimensions = new TreeSet<>();
      for (SliceSet set : pipeline.extent().slices()) {
        if (!(set instanceof SliceSet.Product product)) {
          return;
        }
        dimensions.addAll(product.values().keySet());
      }
      if (!dimensions.equals(slice.keySet())) {
        section.problem(
            "slice",
            dimensions.isEmpty()
                ? "'" + pipeline.name() + "' has no slices; remove it"
                : "must name one slice of '%s': a value for each of %s"
                    .formatted(pipeline.name(), String.join(", ", dimensions)));
      }
    }

    private Datasource.@Nullable Origin sql(Section section) {
      String sql = section.get("sql", Type.TEXT);
      String connection = connections.anyDatabase(section);
      String version = section.get("version", Type.TEXT);
      return sql == null || connection == null
          ? null
          : new Datasource.FromSql(connection, sql, version);
    }

    private static Datasource.@Nullable Origin files(Section section) {
      String glob = section.get("files", Type.TEXT);
      if (glob != null && glob.startsWith("connection:")) {
        section.problem("files", "'" + glob + "' is on a connection; these are local files");
        return null;
      }
      return glob == null ? null : new Datasource.FromFiles(glob);
    }
  }
}
