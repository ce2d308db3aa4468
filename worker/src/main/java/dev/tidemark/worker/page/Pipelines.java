package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Request;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pipelines, partitions and slices that requests name. */
final class Pipelines {
  /** Of those that there are, where one is named that is not. */
  private static final int NAMED = 20;

  private final Definitions definitions;

  Pipelines(Definitions definitions) {
    this.definitions = definitions;
  }

  /** Every one, by name. */
  List<RegisteredPipeline> all() {
    return definitions.all();
  }

  /** Those that the caller may see, by name. */
  List<RegisteredPipeline> seenBy(Request request) {
    return all().stream()
        .filter(pipeline -> request.caller().may(Role.VIEW, pipeline.name()))
        .toList();
  }

  /**
   * The one in the path.
   *
   * @throws HttpFailure if there is none; it names those that the caller may see, and no others
   */
  RegisteredPipeline of(Request request) {
    String name = request.step("pipeline");
    return definitions.find(name).orElseThrow(() -> unknown(name, request));
  }

  private HttpFailure unknown(String name, Request request) {
    List<String> seen =
        seenBy(request).stream().map(RegisteredPipeline::name).limit(NAMED).toList();
    return new HttpFailure(
        404,
        "unknown_pipeline",
        "pipeline",
        "pipeline '"
            + name
            + "' is not registered; "
            + (seen.isEmpty() ? "register it with apply" : "there are " + String.join(", ", seen)));
  }

  /** The partition in the path. */
  static Window window(RegisteredPipeline pipeline, Request request) {
    return NamedPartitions.window(pipeline, "partition", request.step("partition"));
  }

  /** The window that a parameter names, or null where it is not there. */
  static @Nullable Window window(RegisteredPipeline pipeline, Request request, String parameter) {
    String label = request.query(parameter);
    return label == null ? null : NamedPartitions.window(pipeline, parameter, label);
  }

  /** The slice in the parameters, in its canonical text; empty where there is none. */
  static Slice slice(Request request) {
    String canonical = request.query("slice");
    try {
      return canonical == null ? Slice.EMPTY : Slice.parse(canonical);
    } catch (IllegalArgumentException e) {
      throw HttpFailure.invalid("slice", String.valueOf(e.getMessage()));
    }
  }

  /** The slice in a body. */
  static Slice slice(@Nullable Map<String, String> values) {
    try {
      return values == null ? Slice.EMPTY : Slice.of(values);
    } catch (IllegalArgumentException e) {
      throw HttpFailure.invalid("slice", String.valueOf(e.getMessage()));
    }
  }
}
