package dev.tidemark.activities.index.query;

import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;

/** The properties that questions name. */
final class Properties {
  private Properties() {}

  /**
   * The property of that name.
   *
   * @param field where it is named
   * @throws QueryRefusal if there is none, naming those that there are
   */
  static Property find(ObjectType type, String name, String field) {
    return type.properties().stream()
        .filter(property -> property.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                QueryRefusal.invalid(
                    field,
                    "'%s' has no property '%s'; there are %s"
                        .formatted(
                            type.name(),
                            name,
                            String.join(
                                ", ", type.properties().stream().map(Property::name).toList()))));
  }
}
