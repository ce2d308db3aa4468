package dev.tidemark.worker.cluster;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Retry;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A pipeline of so many closed days, told in the same words by the test and by its workers.
 *
 * @param name of the pipeline, and of the task queue
 */
record ManyDays(String name, int days) {
  private static final LocalDate FIRST = LocalDate.parse("2015-01-01");
  private static final Limits LIMITS =
      new Limits(10_000, Duration.ofMinutes(10), 40, null, null, 50);

  /** After a crash the next attempt comes soon: a test need not wait for more than the timeouts. */
  private static final Retry RETRY =
      new Retry(3, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMinutes(15), 10);

  static ManyDays of(int days) {
    return new ManyDays("many-days-" + UUID.randomUUID().toString().substring(0, 8), days);
  }

  Pipeline pipeline(PartitionTask task) {
    return Pipeline.named(name)
        .daily(ZoneOffset.UTC)
        .from(label(0))
        .until(label(days))
        .limits(LIMITS)
        .retry(RETRY)
        .task(task)
        .build();
  }

  void register(DataSource ledger) {
    new Definitions(ledger).register(pipeline(context -> {}).definition(), "test");
  }

  /** All days from one to another, both counted from 0 and inclusive, whatever their state. */
  BackfillRequest all(int first, int last) {
    return new BackfillRequest(
        null,
        label(first),
        label(last),
        null,
        BackfillRequest.Mode.ALL,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static String label(int day) {
    return FIRST.plusDays(day).toString();
  }
}
