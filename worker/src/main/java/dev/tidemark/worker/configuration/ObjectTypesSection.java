package dev.tidemark.worker.configuration;

import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code object-types}. */
final class ObjectTypesSection {
  private ObjectTypesSection() {}

  /** Those that could be read, in the file's order; every problem is reported. */
  static List<ObjectType> read(
      Section root, ConnectionsSection connections, List<PipelineDefinition> pipelines) {
    List<ObjectType> types = new ArrayList<>();
    Map<String, Integer> places = new HashMap<>();
    List<Value> items = root.list("object-types");
    for (int i = 0; i < items.size(); i++) {
      Section section = items.get(i).section();
      String name = section.get("name", Type.TEXT);
      Integer first = name == null ? null : places.putIfAbsent(name, i);
      if (first != null) {
        section.problem(
            "name", "'" + name + "' is the name of object-types[" + first + "] too; rename one");
      }
      ObjectType type = new ObjectTypeSection(section, connections, pipelines).read();
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }
}
