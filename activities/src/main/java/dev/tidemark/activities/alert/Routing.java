package dev.tidemark.activities.alert;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which channels are told of a pipeline's alerts, and of their recovery.
 *
 * @param onAlert of breaches of freshness, of what is parked, and of accounts that are left alone
 * @param onFailure of every partition that fails, and of what is parked
 */
public record Routing(List<String> onAlert, List<String> onFailure) {
  public static final Routing NONE = new Routing(List.of(), List.of());

  public Routing {
    onAlert = List.copyOf(onAlert);
    onFailure = List.copyOf(onFailure);
  }

  /** Names of channels, each once. */
  Set<String> channels(AlertRule rule) {
    return switch (rule) {
      case FRESHNESS, BREAKER -> new LinkedHashSet<>(onAlert);
      case FAILED -> new LinkedHashSet<>(onFailure);
      case PARKED -> {
        Set<String> both = new LinkedHashSet<>(onAlert);
        both.addAll(onFailure);
        yield both;
      }
    };
  }
}
