package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An object type as its configuration defines it (D1, D8).
 *
 * @param name as pipelines are named
 * @param primaryKey the properties that tell objects apart, in order; at least one
 * @param location where changelogs, merged objects and index files are kept: a folder or {@code
 *     connection:name/prefix}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ObjectType(
    String name,
    List<String> primaryKey,
    List<Property> properties,
    List<Datasource> datasources,
    EditRules edits,
    Rhythm rhythm,
    String location) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  public ObjectType {
    primaryKey = List.copyOf(primaryKey);
    properties = List.copyOf(properties);
    datasources = List.copyOf(datasources);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "object type '" + name + "' must be called " + NAME.pattern());
    }
    Set<String> names = new HashSet<>();
    for (Property property : properties) {
      if (!names.add(property.name())) {
        throw new IllegalArgumentException("there are two properties '" + property.name() + "'");
      }
    }
    if (primaryKey.isEmpty() || !names.containsAll(primaryKey)) {
      throw new IllegalArgumentException(
          "primary-key must name properties of '" + name + "': " + primaryKey);
    }
    for (Property property : properties) {
      if (primaryKey.contains(property.name()) && !property.isKeyable()) {
        throw new IllegalArgumentException(
            "primary-key '%s' must not be of type %s: two texts can mean one value of it"
                .formatted(property.name(), property.type()));
      }
    }
    if (datasources.isEmpty()) {
      throw new IllegalArgumentException("'" + name + "' has no datasource");
    }
  }

  /** The place of a property among {@link #properties}. */
  public int indexOf(String property) {
    for (int i = 0; i < properties.size(); i++) {
      if (properties.get(i).name().equals(property)) {
        return i;
      }
    }
    throw new IllegalArgumentException("'" + name + "' has no property '" + property + "'");
  }
}
