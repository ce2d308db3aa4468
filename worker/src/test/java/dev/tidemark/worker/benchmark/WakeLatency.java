package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.plugin.Input;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Slice;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * From the commit of a partition to the begin of the one that reads it, in another pipeline, on a
 * quiet worker; both by the database's clock.
 */
final class WakeLatency {
  private static final int WARM_UP = 5;
  private static final int DAYS = 365;

  /** Within what is accepted of late data. */
  private static final int RECENT = 50;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private WakeLatency() {}

  static void run(Services services, int samples) throws Exception {
    Pipeline source = days("wake-source").input(Input.push()).task(Workers.NOTHING).build();
    Pipeline reader =
        days("wake-reader").input(Input.upstream("wake-source")).task(Workers.NOTHING).build();
    Definitions definitions = new Definitions(services.ledger());
    RegisteredPipeline upstream = definitions.register(source.definition(), "benchmark").pipeline();
    int downstream = definitions.register(reader.definition(), "benchmark").pipeline().id();
    TidemarkWorker worker = Workers.tidemark(services, List.of(source, reader));
    try {
      TidemarkClient client = new TidemarkClient(services.client(), Workers.QUEUE);
      client.wake(source.name());
      awaitAttempts(services.ledger(), downstream, DAYS);
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i < WARM_UP + samples; i++) {
        String day =
            source
                .definition()
                .extent()
                .partitions()
                .plus(source.definition().extent().partitions().first(), DAYS - 1 - i % RECENT)
                .label();
        new Observations(services.ledger()).push(upstream, Slice.EMPTY, day, "round " + i);
        client.wake(source.name());
        awaitAttempts(services.ledger(), downstream, DAYS + i + 1);
        double latency = latency(services.ledger(), upstream.id(), downstream, day);
        Figures.note("%s %.0f ms".formatted(day, latency));
        if (i >= WARM_UP) {
          millis.add(latency);
        }
      }
      Figures.figure(
          "commit upstream to begin downstream (at most 300 ms)",
          "%.0f ms median of %d, %.0f at most",
          Figures.median(millis),
          millis.size(),
          millis.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    } finally {
      worker.close();
    }
  }

  private static dev.tidemark.worker.plugin.PipelineBuilder days(String name) {
    return Pipeline.named(name).daily(ZoneOffset.UTC).from("2024-01-01").until("2024-12-31");
  }

  private static void awaitAttempts(DataSource ledger, int pipeline, int attempts)
      throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    String sql =
        "select count(*) >= %d from tidemark.attempt a join tidemark.partition_ledger l on l.id = a.row_id where l.pipeline_id = %d and a.outcome = 'committed'"
            .formatted(attempts, pipeline);
    while (number(ledger, "select (" + sql + ")::integer") == 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no " + attempts + " attempts of the reader in time");
      }
      Thread.sleep(20);
    }
  }

  private static double latency(DataSource ledger, int source, int reader, String day)
      throws Exception {
    return number(
        ledger,
        """
        select extract(epoch from max(a.began_at) - max(u.committed_at)) * 1000
          from tidemark.partition_ledger u
          join tidemark.partition_ledger l on l.pipeline_id = %d and l.partition = u.partition
          join tidemark.attempt a on a.row_id = l.id
         where u.pipeline_id = %d and u.partition = '%s'
        """
            .formatted(reader, source, day));
  }

  private static double number(DataSource ledger, String sql) throws Exception {
    try (Connection connection = ledger.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getDouble(1);
    }
  }
}
