package dev.tidemark.activities.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.PastRuns;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CascadesTest {
  // C24: whose database is down below is not what is asked about
  @Test
  void whereTheSlicesBelowCannotBeFoundOutThoseKnownBeforeDecide() {
    try (LedgerTestDatabase database = LedgerTestDatabase.create()) {
      var source = database.dataSource();
      RegisteredPipeline below =
          new Definitions(source)
              .register(
                  TestPipeline.daily("below")
                      .slices(new SliceSet.Query("select unit from shop", "gone"))
                      .build(),
                  "test")
              .pipeline();
      database.execute(
          """
          insert into tidemark.expected_slice (pipeline_id, slice, since, revision)
          values (%d, 'unit=a', '2025-12-31T21:00:00Z', 1)
          """
              .formatted(below.id()));
      Cascades cascades =
          new Cascades(
              new LedgerReader(source),
              new SliceSets(Connections.NONE),
              new PastRuns(source),
              List.of(below));

      assertThat(cascades.narrowed(below, Map.of("unit", "a", "other", "x")))
          .contains(Slice.of(Map.of("unit", "a")));
      assertThat(cascades.narrowed(below, Map.of("unit", "b"))).isEmpty();
    }
  }
}
