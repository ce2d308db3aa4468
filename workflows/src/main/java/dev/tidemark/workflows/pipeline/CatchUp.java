package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How much of a backlog of closed windows is due; what is skipped is recorded as such. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = CatchUp.All.class, name = "all"),
  @JsonSubTypes.Type(value = CatchUp.Newest.class, name = "newest")
})
public sealed interface CatchUp {

  /** Everything closed and missing. */
  record All() implements CatchUp {}

  /**
   * Only the newest {@code windows} of those newly closed since the last plan; {@code none} in the
   * configuration is 1.
   */
  record Newest(int windows) implements CatchUp {
    public Newest {
      if (windows < 1) {
        throw new IllegalArgumentException("catch-up newest must be at least 1: " + windows);
      }
    }
  }
}
