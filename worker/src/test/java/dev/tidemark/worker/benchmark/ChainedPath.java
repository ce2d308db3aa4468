package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.TidemarkWorker;
import io.temporal.worker.WorkerFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.List;
import javax.sql.DataSource;

/**
 * A stateful pipeline: windows one after the other, each begun when the one before it has settled,
 * beside a workflow that runs as many activities in sequence.
 */
final class ChainedPath {
  private static final int DAYS = 365;

  private ChainedPath() {}

  static void run(Services services, int rounds) throws Exception {
    Pipeline days =
        Pipeline.named("chained")
            .daily(ZoneOffset.UTC)
            .from("1900-01-01")
            .stateful()
            .task(Workers.NOTHING)
            .build();
    RegisteredPipeline registered =
        new Definitions(services.ledger()).register(days.definition(), "benchmark").pipeline();
    Contender bare =
        new Contender(
            "activities in sequence",
            () -> Workers.bareFanOut(services.client()).run(DAYS, 1),
            DAYS);
    Contender product =
        new Contender("a chain of days", new SweepRun(services, registered, DAYS), DAYS);
    WorkerFactory bareWorker = Workers.bare(services.client());
    TidemarkWorker worker = Workers.tidemark(services, List.of(days));
    try {
      for (int round = 0; round <= rounds; round++) {
        if (round == 1) {
          bare.forget();
          product.forget();
        }
        bare.run(services.ledger());
        product.run(services.ledger());
      }
    } finally {
      worker.close();
      bareWorker.shutdownNow();
    }
    Figures.figure(bare.name(), "%s", bare.summary());
    Figures.figure(product.name(), "%s", product.summary());
    Figures.figure("chain : sequence, rate (at least 0.5)", "%.2f", product.rate() / bare.rate());
    Figures.figure(
        "settle of a day to begin of the next (at most 100 ms)",
        "%.0f ms median",
        medianGap(services.ledger(), registered.id()));
  }

  private static final String GAPS =
      """
      select percentile_cont(0.5) within group (order by gap)
        from (select extract(epoch from a.began_at
                       - lag(a.ended_at) over (order by a.token)) * 1000 as gap,
                     row_number() over (order by a.token) as place
                from tidemark.attempt a
                join tidemark.partition_ledger l on l.id = a.row_id
               where l.pipeline_id = ?) chained
       where place % ? <> 1
      """;

  /** Within a run: the first of each follows whoever asked for it. */
  private static double medianGap(DataSource ledger, int pipeline) throws SQLException {
    try (Connection connection = ledger.getConnection();
        PreparedStatement statement = connection.prepareStatement(GAPS)) {
      statement.setInt(1, pipeline);
      statement.setInt(2, DAYS);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getDouble(1);
      }
    }
  }
}
