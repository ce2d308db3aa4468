package dev.tidemark.worker.metrics;

import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
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
  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final Metrics metrics = new Metrics(registry);

  public Exposition() {
    registry.config().meterFilter(new SdkHistograms());
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbage.bindTo(registry);
  }

  public Metrics metrics() {
    return metrics;
  }

  /**
   * Where Prometheus reads them: {@code GET /metrics}, for whoever may view every pipeline. A
   * scrape waits for nothing and costs no statement.
   */
  public Route route() {
    return new Route(
        Method.GET,
        "/metrics",
        Need.VIEW,
        request -> {
          if (!request.caller().mayEverywhere(Role.VIEW)) {
            throw HttpFailure.forbidden(
                request.caller().name() + " may not view every pipeline, and metrics are of all");
          }
          return Response.text(TYPE, scrape());
        });
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
