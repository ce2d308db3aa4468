package dev.tidemark.worker.metrics;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** The metrics of a process of Tidemark's own, in Prometheus' text format. */
public final class Exposition implements AutoCloseable {
  /** The content type of {@link #scrape}. */
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final Metrics metrics = new Metrics(registry);

  public Exposition() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbage.bindTo(registry);
  }

  public Metrics metrics() {
    return metrics;
  }

  /** All of them, as they are now. */
  public String scrape() {
    return registry.scrape(TYPE);
  }

  @Override
  public void close() {
    garbage.close();
    registry.close();
  }
}
