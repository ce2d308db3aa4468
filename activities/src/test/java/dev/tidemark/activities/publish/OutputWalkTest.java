package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.store.MemoryStore;
import dev.tidemark.activities.store.StoredObject;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.OutputSpec.Commit;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a walk over many outputs sees of each. */
class OutputWalkTest {
  private static final int OUTPUTS = 4_567;

  private final MemoryStore store = new MemoryStore();

  // As many parts as there may be, and a remainder.
  @Test
  void seesEachOutputOfALargeRangeOnce() throws IOException {
    OutputSpec hive = new OutputSpec.Hive("out");

    for (Sighting sighting : see(hive, "part-00000-7.csv", "_manifest.json")) {
      assertThat(sighting.files())
          .extracting(StoredObject::name)
          .containsExactly(sighting.place().layout().output() + "/part-00000-7.csv");
      assertThat(sighting.finding()).isEqualTo(Sighting.Finding.UNKNOWN);
    }
  }

  // A marker's name begins with its file's, which may be the last of a part.
  @Test
  void seesTheMarkersOfFilesToo() throws IOException {
    OutputSpec file = new OutputSpec.File("out", "{partition}.json", Commit.MARKER);

    for (Sighting sighting : see(file, "", ".commit")) {
      assertThat(sighting.files()).hasSize(1);
      assertThat(sighting.finding()).isEqualTo(Sighting.Finding.UNKNOWN);
    }
  }

  /** Puts two objects for each output, of which the names end so, and looks at all. */
  private List<Sighting> see(OutputSpec output, String one, String other) throws IOException {
    PipelineDefinition definition = TestPipeline.daily("sales").output(output).build();
    OutputPlaces places = new OutputPlaces(definition, output, location -> store);
    Partitioning days = definition.extent().partitions();
    List<OutputRow> rows = new ArrayList<>();
    for (int i = 0; i < OUTPUTS; i++) {
      Window day = days.plus(days.first(), i);
      String name = places.of(day, Slice.EMPTY).layout().output();
      String folder = output instanceof OutputSpec.Hive ? name + "/" : name;
      store.put(folder + one, "");
      store.put(folder + other, "");
      rows.add(new OutputRow(i, "1", day, Slice.EMPTY, null, true, false));
    }
    List<Sighting> seen = OutputWalk.see(rows, places);
    assertThat(seen).hasSize(OUTPUTS);
    return seen;
  }
}
