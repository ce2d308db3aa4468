package dev.tidemark.activities.ledger.definition;

import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as the ledger has it.
 *
 * @param id of its rows
 * @param fingerprint hash of what changes an output's content
 * @param paused live work is paused
 * @param lookbackFloor start of the newest window committed when the present lookback was
 *     registered; null if nothing was
 */
public record RegisteredPipeline(
    int id,
    int revision,
    String fingerprint,
    boolean paused,
    @Nullable Instant lookbackFloor,
    PipelineDefinition definition) {
  public String name() {
    return definition.name();
  }
}
