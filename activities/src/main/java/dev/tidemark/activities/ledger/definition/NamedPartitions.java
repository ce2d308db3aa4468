package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the labels and slices that people name, before anything changes (invariant 12). */
public final class NamedPartitions {
  private static final int SHOWN = 10;

  private NamedPartitions() {}

  /**
   * The window with this label.
   *
   * @throws LedgerRefusal if it is not a label of the pipeline's grain, or outside its range
   */
  public static Window window(RegisteredPipeline pipeline, String field, String label) {
    if (label == null || label.isBlank()) {
      throw invalid(field, field + " is missing: name a partition, such as " + example(pipeline));
    }
    Partitioning partitions = pipeline.definition().extent().partitions();
    Window window;
    try {
      window = partitions.parse(label);
    } catch (IllegalArgumentException e) {
      throw invalid(field, field + ": " + e.getMessage());
    }
    Instant end = partitions.endInstant();
    if (window.start().isBefore(partitions.first().start())) {
      throw invalid(
          field,
          "%s: '%s' is before the start of %s; its first partition is %s"
              .formatted(field, label, pipeline.name(), partitions.first().label()));
    }
    if (end != null && !window.start().isBefore(end)) {
      throw invalid(
          field,
          "%s: '%s' is after the end of %s; its last partition is %s"
              .formatted(
                  field,
                  label,
                  pipeline.name(),
                  partitions.previous(partitions.containing(end)).label()));
    }
    return window;
  }

  private static String example(RegisteredPipeline pipeline) {
    return pipeline.definition().extent().partitions().first().label();
  }

  /**
   * The filter as parts of a slice's canonical text, to be compared with {@code
   * string_to_array(slice, '/') @> parts}.
   */
  public static List<String> parts(Slice filter) {
    return filter.values().entrySet().stream()
        .map(entry -> Slice.of(Map.of(entry.getKey(), entry.getValue())).canonical())
        .toList();
  }

  /**
   * Refuses a filter that no slice written down in the definition matches. Slices that come from a
   * query are known only to the ledger: see {@link #checkKnown}.
   */
  public static void checkSlice(RegisteredPipeline pipeline, Slice filter) {
    List<SliceSet> sets = pipeline.definition().extent().slices();
    if (filter.values().isEmpty() || sets.stream().anyMatch(SliceSet.Query.class::isInstance)) {
      return;
    }
    List<SliceSet.Product> products = sets.stream().map(SliceSet.Product.class::cast).toList();
    TreeSet<String> dimensions = new TreeSet<>();
    products.forEach(product -> dimensions.addAll(product.values().keySet()));
    filter
        .values()
        .forEach(
            (dimension, value) -> {
              requireDimension(pipeline, dimension, dimensions);
              requireValue(
                  pipeline,
                  dimension,
                  value,
                  products.stream()
                      .flatMap(p -> p.values().getOrDefault(dimension, List.of()).stream()));
            });
    if (products.stream().noneMatch(product -> matches(product, filter))) {
      throw noneMatches(pipeline, filter);
    }
  }

  private static boolean matches(SliceSet.Product product, Slice filter) {
    return filter.values().entrySet().stream()
        .allMatch(
            entry ->
                product
                    .values()
                    .getOrDefault(entry.getKey(), List.of())
                    .contains(entry.getValue()));
  }

  private static final Sql MATCHES =
      Sql.of(
          """
          select slice
            from tidemark.expected_slice
           where pipeline_id = :pipeline
             and string_to_array(slice, '/') @> :slice::text[]
           limit 1
          """);

  private static final Sql DIMENSIONS =
      Sql.of(
          """
          select distinct split_part(part, '=', 1) as dimension
            from tidemark.expected_slice, unnest(string_to_array(slice, '/')) as part
           where pipeline_id = :pipeline
           order by 1
          """);

  private static final Sql VALUES =
      Sql.of(
          """
          select distinct part
            from tidemark.expected_slice, unnest(string_to_array(slice, '/')) as part
           where pipeline_id = :pipeline
             and split_part(part, '=', 1) = :dimension
           order by 1
          """);

  /**
   * Refuses a filter that no slice known to the ledger matches, for a pipeline whose slices come
   * from a query.
   */
  public static void checkKnown(Connection connection, RegisteredPipeline pipeline, Slice filter)
      throws SQLException {
    boolean fromQuery =
        pipeline.definition().extent().slices().stream().anyMatch(SliceSet.Query.class::isInstance);
    if (!fromQuery
        || filter.values().isEmpty()
        || MATCHES
            .on(connection)
            .set("pipeline", pipeline.id())
            .set("slice", parts(filter))
            .first(row -> row.text("slice"))
            .isPresent()) {
      return;
    }
    TreeSet<String> dimensions =
        new TreeSet<>(
            DIMENSIONS
                .on(connection)
                .set("pipeline", pipeline.id())
                .list(row -> row.text("dimension")));
    for (Map.Entry<String, String> entry : filter.values().entrySet()) {
      String dimension = entry.getKey();
      requireDimension(pipeline, dimension, dimensions);
      List<String> values =
          VALUES
              .on(connection)
              .set("pipeline", pipeline.id())
              .set("dimension", dimension)
              .list(row -> Slice.parse(row.text("part")).values().getOrDefault(dimension, ""));
      requireValue(pipeline, dimension, entry.getValue(), values.stream());
    }
    throw noneMatches(pipeline, filter);
  }

  private static void requireDimension(
      RegisteredPipeline pipeline, String dimension, Set<String> dimensions) {
    if (!dimensions.contains(dimension)) {
      throw invalid(
          "slice",
          dimensions.isEmpty()
              ? "slice: %s has no slices, so '%s' cannot be chosen; leave it out"
                  .formatted(pipeline.name(), dimension)
              : "slice: '%s' is not a dimension of %s; its dimensions are %s"
                  .formatted(dimension, pipeline.name(), String.join(", ", dimensions)));
    }
  }

  private static void requireValue(
      RegisteredPipeline pipeline, String dimension, String value, Stream<String> known) {
    TreeSet<String> values = known.collect(Collectors.toCollection(TreeSet::new));
    if (!values.contains(value)) {
      String shown = String.join(", ", values.stream().limit(SHOWN).toList());
      throw invalid(
          "slice",
          "slice: %s has no %s '%s'; there is %s%s"
              .formatted(
                  pipeline.name(), dimension, value, shown, values.size() > SHOWN ? ", ..." : ""));
    }
  }

  private static LedgerRefusal noneMatches(RegisteredPipeline pipeline, Slice filter) {
    return invalid(
        "slice",
        "slice: no slice of %s has %s together"
            .formatted(pipeline.name(), String.join(" and ", parts(filter))));
  }

  private static LedgerRefusal invalid(String field, String message) {
    return new LedgerRefusal(LedgerRefusal.Kind.INVALID, field, message);
  }
}
