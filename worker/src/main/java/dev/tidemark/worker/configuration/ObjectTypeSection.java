package dev.tidemark.worker.configuration;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one object type. */
final class ObjectTypeSection {
  private static final List<String> KEYS =
      List.of(
          "name",
          "primary-key",
          "properties",
          "datasources",
          "conflicts",
          "deletes",
          "live",
          "full-reindex-above",
          "sync-within",
          "migrate-edits",
          "location");

  private final Section section;
  private final ConnectionsSection connections;
  private final List<PipelineDefinition> pipelines;

  ObjectTypeSection(
      Section section, ConnectionsSection connections, List<PipelineDefinition> pipelines) {
    this.section = section;
    this.connections = connections;
    this.pipelines = pipelines;
  }

  /** The object type, or null where too much of it is missing; every problem is reported. */
  @Nullable ObjectType read() {
    section.only(KEYS, Later.KEYS);
    String name = section.require("name", Types.NAME);
    Map<String, Property> properties = properties();
    List<String> key = primaryKey(properties);
    List<Datasource> datasources =
        new DatasourcesSection(section, connections, pipelines).read(properties, key);
    EditRulesSection edits = new EditRulesSection(section, properties, key);
    Rhythm rhythm = rhythm();
    String location = location();
    if (name == null || location == null || datasources.isEmpty() || !isKey(key, properties)) {
      edits.read();
      return null;
    }
    return new ObjectType(
        name, key, List.copyOf(properties.values()), datasources, edits.read(), rhythm, location);
  }

  private static boolean isKey(List<String> key, Map<String, Property> properties) {
    return !key.isEmpty()
        && Set.copyOf(key).size() == key.size()
        && key.stream().map(properties::get).allMatch(ObjectTypeSection::isKeyable);
  }

  private static boolean isKeyable(@Nullable Property property) {
    return property != null && property.isKeyable();
  }

  private Map<String, Property> properties() {
    Map<String, Property> properties = new LinkedHashMap<>();
    List<Value> elements = section.list("properties");
    if (elements.isEmpty()) {
      section.problem("properties", "must name at least one property: [{name: id, type: bigint}]");
    }
    for (Value value : elements) {
      Section element = value.section();
      element.only(List.of("name", "type", "text"), Later.KEYS);
      String name = element.require("name", ExportSection.COLUMN);
      ColumnType type = element.require("type", ExportSection.COLUMN_TYPE);
      boolean text = element.get("text", Types.FLAG, false);
      if (name == null || type == null) {
        continue;
      }
      if (text && type.kind() != ColumnType.Kind.STRING) {
        element.problem(
            "text", "'" + name + "' is " + type + ", and only the words of a string are searched");
        text = false;
      }
      DatasourcesSection.refuseReserved(element, "name", name);
      if (properties.putIfAbsent(name, new Property(name, type, text)) != null) {
        element.problem("name", "'" + name + "' is there twice; rename one");
      }
    }
    return properties;
  }

  private List<String> primaryKey(Map<String, Property> properties) {
    Value value = section.value("primary-key");
    if (value == null) {
      section.problem("primary-key", "is missing; it must be a property, or a list of some");
      return List.of();
    }
    List<String> key = new ArrayList<>();
    if (value.isList()) {
      key.addAll(value.list(Type.TEXT));
      if (key.isEmpty()) {
        value.problem("must name at least one property");
      }
    } else {
      String one = value.as(Type.TEXT);
      if (one != null) {
        key.add(one);
      }
    }
    for (int i = 0; i < key.size(); i++) {
      String name = key.get(i);
      Property property = properties.get(name);
      if (property == null) {
        value.problem("'" + name + "' is no property" + PropertyNames.hint(name, properties));
      } else if (!property.isKeyable()) {
        value.problem(
            "'%s' is %s, and a primary key is none of double, json, bytes"
                .formatted(name, property.type()));
      } else if (key.indexOf(name) < i) {
        value.problem("'" + name + "' is in it twice; remove one");
      }
    }
    return key;
  }

  private Rhythm rhythm() {
    Section live = section.section("live");
    live.only(List.of("every", "persist-edits"), Later.KEYS);
    Integer percent = section.get("full-reindex-above", Types.PERCENT);
    Duration syncWithin = section.get("sync-within", Types.POSITIVE_DURATION);
    return new Rhythm(
        live.get("every", PaceSection.INTERVAL, Rhythm.DEFAULT.every()),
        live.get("persist-edits", Types.POSITIVE_DURATION, Rhythm.DEFAULT.persistEdits()),
        percent == null ? Rhythm.DEFAULT.fullAbove() : percent / 100.0,
        syncWithin);
  }

  private @Nullable String location() {
    String location = section.require("location", Type.TEXT);
    if (location != null) {
      BucketLocation.of(location)
          .map(BucketLocation::connection)
          .filter(name -> !connections.isObjectStore(name))
          .ifPresent(name -> connections.refuse(section, "location", "indexes", name));
    }
    return location;
  }
}
