package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.page.AttemptRecords;
import dev.tidemark.activities.publish.OutputReader;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What is known of one partition, in the ledger and in the store. */
record PartitionReaders(LedgerReader ledger, AttemptRecords attempts, Stores stores) {
  static PartitionReaders of(DataSource ledger, Stores stores) {
    return new PartitionReaders(new LedgerReader(ledger), new AttemptRecords(ledger), stores);
  }

  /** The row of {@code partition_state}, if there is one. */
  Optional<Map<String, @Nullable Object>> row(
      RegisteredPipeline pipeline, Window window, Slice slice) {
    List<Map<String, @Nullable Object>> rows =
        ledger.partitions(pipeline, new LedgerReader.Filter(window, window, List.of(), slice), 1);
    return rows.stream().filter(row -> slice.canonical().equals(row.get("slice"))).findFirst();
  }

  /** What the store holds, if it is complete. */
  Optional<PublishedOutput> output(RegisteredPipeline pipeline, Window window, Slice slice)
      throws IOException {
    return pipeline.definition().output() == null
        ? Optional.empty()
        : new OutputReader(pipeline.definition(), stores).find(window, slice);
  }
}
