package dev.tidemark.worker.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

/**
 * The Temporal SDK asks for a histogram of some seventy buckets for each of its latencies and each
 * of their tags: thousands of series per worker. A count, a sum and a maximum are kept of each.
 */
final class SdkHistograms implements MeterFilter {
  private static final DistributionStatisticConfig NONE =
      DistributionStatisticConfig.builder()
          .percentilesHistogram(false)
          .serviceLevelObjectives(new double[0])
          .build();

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return id.getName().startsWith("temporal") ? NONE.merge(config) : config;
  }
}
