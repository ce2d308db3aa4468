package dev.tidemark.activities.task;

import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.ObjectType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The object types that a commit makes work for (D5). */
public final class ObjectWakes {
  /** Of a worker that builds none. */
  public static final ObjectWakes NONE = new ObjectWakes(List.of(), types -> List.of());

  private final Map<String, List<String>> readers = new HashMap<>();
  private final UnaryOperator<List<String>> raise;

  private ObjectWakes(List<ObjectType> own, UnaryOperator<List<String>> raise) {
    this.raise = raise;
    for (ObjectType type : own) {
      type.datasources().stream()
          .map(Datasource::origin)
          .filter(Datasource.FromPipeline.class::isInstance)
          .map(origin -> ((Datasource.FromPipeline) origin).pipeline())
          .distinct()
          .forEach(
              pipeline ->
                  readers.computeIfAbsent(pipeline, name -> new ArrayList<>()).add(type.name()));
    }
  }

  /**
   * Of a worker that builds some.
   *
   * @param own the object types that this worker builds, as it has them
   */
  public static ObjectWakes of(ObjectTypes types, List<ObjectType> own) {
    return new ObjectWakes(own, types::raise);
  }

  /** A pipeline has new content: those that the caller is to wake. */
  List<String> committed(String pipeline) {
    List<String> types = readers.getOrDefault(pipeline, List.of());
    return types.isEmpty() ? List.of() : raise.apply(types);
  }
}
