package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Nearest;
import dev.tidemark.workflows.index.Property;
import java.util.Map;

/** The properties of an object type, for a message that names one that it lacks. */
final class PropertyNames {
  private PropertyNames() {}

  static String hint(String name, Map<String, Property> properties) {
    String nearest = Nearest.hint(name, properties.keySet());
    if (!nearest.isEmpty()) {
      return nearest;
    }
    return properties.isEmpty() ? "" : "; there are " + String.join(", ", properties.keySet());
  }
}
