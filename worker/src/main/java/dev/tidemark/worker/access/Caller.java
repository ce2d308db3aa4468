package dev.tidemark.worker.access;

import java.util.List;

/**
 * Who asks, and what they may.
 *
 * @param name for the record: a user of the reverse proxy, the name of a token, or the user of this
 *     machine's loopback address
 */
public record Caller(String name, List<Grant> grants) {
  /** Somebody who has not said who they are: may nothing. */
  public static final Caller NOBODY = new Caller("nobody", List.of());

  public Caller {
    grants = List.copyOf(grants);
  }

  /** Whether they have this role on the pipeline. */
  public boolean may(Role needed, String pipeline) {
    return grants.stream().anyMatch(grant -> grant.covers(needed, pipeline));
  }

  /** Whether they have this role on any pipeline. */
  public boolean may(Role needed) {
    return grants.stream().anyMatch(grant -> grant.role().covers(needed));
  }

  /** Whether they have this role on every pipeline. */
  public boolean mayEverywhere(Role needed) {
    return grants.stream()
        .anyMatch(grant -> grant.role().covers(needed) && grant.pipelines().isEmpty());
  }
}
