package dev.tidemark.activities.index.build;

import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.BuildRequest;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An object type of the NDJSON files in {@code input}. */
final class Customers {
  static final String TYPE = "customer";
  static final BuildRequest LIVE = new BuildRequest(TYPE, false, false);
  static final BuildRequest REPLACEMENT = new BuildRequest(TYPE, true, false);

  private Customers() {}

  /** With an id, a name, and more properties that are texts. Never are too many rows changed. */
  static ObjectType type(Datasource.Kind kind, String location, String... more) {
    List<Property> properties =
        new ArrayList<>(
            List.of(
                new Property("id", ColumnType.parse("bigint"), false),
                new Property("name", ColumnType.parse("string"), true)));
    Arrays.stream(more)
        .map(name -> new Property(name, ColumnType.parse("string"), false))
        .forEach(properties::add);
    Rhythm usual = Rhythm.DEFAULT;
    return new ObjectType(
        TYPE,
        List.of("id"),
        properties,
        List.of(
            new Datasource(
                "files",
                new Datasource.FromFiles("input/*.ndjson"),
                kind,
                properties.stream().map(Property::name).toList())),
        EditRules.DEFAULT,
        new Rhythm(usual.every(), usual.persistEdits(), 1, null),
        location);
  }
}
