package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.sweep.SweepReport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/** One sweep over windows that have just closed, whose rows are there already. */
final class SweepRun implements Contender.Way {
  private final Services services;
  private final RegisteredPipeline pipeline;
  private final int partitions;
  private Window last;

  SweepRun(Services services, RegisteredPipeline pipeline, int partitions) {
    this.services = services;
    this.pipeline = pipeline;
    this.partitions = partitions;
    this.last = hours().previous(hours().first());
  }

  private Partitioning hours() {
    return pipeline.definition().extent().partitions();
  }

  @Override
  public void prepare() {
    last = hours().plus(last, partitions);
    new ExpectedSet(services.ledger())
        .bringUpTo(pipeline, List.of(new ExpectedSlice(Slice.EMPTY, hours().first())), last);
  }

  @Override
  public void run() throws TimeoutException {
    TidemarkClient client = new TidemarkClient(services.client(), Workers.QUEUE);
    SweepReport report =
        client.awaitSweep(
            client.startSweep(pipeline.name(), last.end(), UUID.randomUUID().toString()),
            Duration.ofMinutes(30));
    if (report.completed() != partitions) {
      throw new IllegalStateException("not all were committed: " + report);
    }
  }
}
