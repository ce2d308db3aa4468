package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** What of a definition names the rows, and so cannot change once there are any. */
final class FixedParts {
  private FixedParts() {}

  private static final Sql ANY_ROW =
      Sql.of(
          """
          select slice from tidemark.partition_ledger where pipeline_id = :pipeline limit 1
          """);

  static void check(Connection connection, RegisteredPipeline present, PipelineDefinition next)
      throws SQLException {
    Optional<String> row =
        ANY_ROW.on(connection).set("pipeline", present.id()).first(r -> r.text("slice"));
    if (row.isEmpty()) {
      return;
    }
    Partitioning before = present.definition().extent().partitions();
    Partitioning after = next.extent().partitions();
    if (before.every() != after.every()) {
      throw refused(
          present.name(), "partitions.every", before.every().code(), after.every().code());
    }
    if (!before.zone().equals(after.zone())) {
      throw refused(present.name(), "partitions.zone", before.zone().getId(), after.zone().getId());
    }
    Set<String> dimensions = Slice.parse(row.get()).values().keySet();
    Optional<Set<String>> wanted = dimensions(next);
    if (wanted.isPresent() && !wanted.get().equals(dimensions)) {
      throw refused(present.name(), "slices", dimensions.toString(), wanted.get().toString());
    }
  }

  /** The names of the dimensions; empty where only a query can tell. */
  private static Optional<Set<String>> dimensions(PipelineDefinition definition) {
    if (definition.extent().slices().isEmpty()) {
      return Optional.of(Set.of());
    }
    for (SliceSet set : definition.extent().slices()) {
      if (set instanceof SliceSet.Product product) {
        return Optional.of(product.values().keySet());
      }
    }
    return Optional.empty();
  }

  private static LedgerRefusal refused(String pipeline, String field, String before, String after) {
    return new LedgerRefusal(
        LedgerRefusal.Kind.REFUSED,
        field,
        "pipeline '"
            + pipeline
            + "' has partitions, so "
            + field
            + " cannot change from "
            + before
            + " to "
            + after
            + "; register it under a new name, or remove this one first");
  }
}
