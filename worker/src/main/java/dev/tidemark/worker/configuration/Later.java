package dev.tidemark.worker.configuration;

import java.util.Set;

/** Keys that have a meaning and are not built yet (contracts, section 7). */
final class Later {
  static final Set<String> KEYS = Set.of("metrics");

  private Later() {}
}
