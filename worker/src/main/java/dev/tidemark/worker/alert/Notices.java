package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Routing;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who is told what, as configured. It is this worker's affair and not part of a pipeline's
 * definition: it changes no output, and where a channel leads is no business of the ledger.
 *
 * @param channels by name, in the file's order
 * @param routes by the pipeline's name
 */
public record Notices(Map<String, ChannelSettings> channels, Map<String, Routing> routes) {
  public static final Notices NONE = new Notices(Map.of(), Map.of());

  public Notices {
    channels = Collections.unmodifiableMap(new LinkedHashMap<>(channels));
    routes = Map.copyOf(routes);
  }
}
