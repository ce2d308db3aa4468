package dev.tidemark.worker.access;

import java.util.Set;

/**
 * A role on some pipelines.
 *
 * @param pipelines their names; empty means every pipeline
 */
public record Grant(Role role, Set<String> pipelines) {
  public Grant {
    pipelines = Set.copyOf(pipelines);
  }

  /** A role on every pipeline. */
  public static Grant everywhere(Role role) {
    return new Grant(role, Set.of());
  }

  boolean covers(Role needed, String pipeline) {
    return role.covers(needed) && (pipelines.isEmpty() || pipelines.contains(pipeline));
  }
}
