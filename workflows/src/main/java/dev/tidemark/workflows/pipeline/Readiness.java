package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;

/** When enough of an upstream pipeline is there for a partition that reads it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Readiness.All.class, name = "all"),
  @JsonSubTypes.Type(value = Readiness.AtLeast.class, name = "at-least"),
  @JsonSubTypes.Type(value = Readiness.Within.class, name = "within")
})
public sealed interface Readiness {

  /** Every one is committed, and none of them is about to be made again. */
  record All() implements Readiness {}

  /** So many are committed; all, where there are fewer. */
  record AtLeast(int partitions) implements Readiness {
    public AtLeast {
      if (partitions < 1) {
        throw new IllegalArgumentException("ready at-least must be at least 1: " + partitions);
      }
    }
  }

  /** Every one is committed; so long after the closure of the window that reads them, any. */
  record Within(Duration afterClosure) implements Readiness {
    public Within {
      if (afterClosure.isNegative() || afterClosure.isZero()) {
        throw new IllegalArgumentException(
            "ready within must be longer than nothing: " + afterClosure);
      }
    }
  }
}
