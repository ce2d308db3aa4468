package dev.tidemark.starter.backfill;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tidemark.workflows.backfill.BackfillView;
import java.util.List;

/**
 * A backfill, and with {@code --downstream} those of the pipelines that read it, in the order of
 * their dependencies.
 */
record Answer(
    @JsonUnwrapped BackfillView backfill,
    @JsonProperty("downstream") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<BackfillView> downstream) {
  static Answer of(List<BackfillView> all) {
    return new Answer(all.get(0), all.subList(1, all.size()));
  }
}
