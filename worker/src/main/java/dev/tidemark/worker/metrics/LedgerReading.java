package dev.tidemark.worker.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;

/** Whether the ledger answers, and how old its numbers are. */
final class LedgerReading {
  private volatile boolean up;
  private volatile long readAt = System.nanoTime();

  LedgerReading(MeterRegistry registry) {
    Gauge.builder(Names.LEDGER_UP, () -> up ? 1 : 0).register(registry);
    TimeGauge.builder(Names.CENSUS_AGE, () -> System.nanoTime() - readAt, TimeUnit.NANOSECONDS)
        .register(registry);
  }

  /** A reading has ended. */
  void ended(boolean succeeded) {
    up = succeeded;
    if (succeeded) {
      readAt = System.nanoTime();
    }
  }
}
