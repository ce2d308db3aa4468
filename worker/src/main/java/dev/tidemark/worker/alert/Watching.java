package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Routing;
import dev.tidemark.worker.metrics.Metrics;
import java.util.Map;

/**
 * What a worker watches besides its work.
 *
 * @param metrics where it counts
 * @param channels by name
 * @param routes who is told of which pipeline, by the pipeline's name
 */
public record Watching(
    Metrics metrics, Map<String, Channel> channels, Map<String, Routing> routes) {
  public Watching {
    channels = Map.copyOf(channels);
    routes = Map.copyOf(routes);
  }

  /** Nothing is told, and nothing is counted that anybody reads. */
  public static Watching nothing() {
    return new Watching(Metrics.none(), Map.of(), Map.of());
  }

  /** Whether anybody learns of what is seen: by a channel, or by the metrics. */
  boolean isOfUse() {
    return !channels.isEmpty() || metrics.areRead();
  }

  Routing route(String pipeline) {
    return routes.getOrDefault(pipeline, Routing.NONE);
  }
}
