package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions a pipeline has: the expected set, once a now is given.
 *
 * @param slices empty for a pipeline without slices
 * @param account the slice dimension that limits and fairness count by, or null
 * @param keep outputs older than this, counted back from the newest closed window, are not
 *     expected; null keeps all
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Extent(
    Partitioning partitions,
    List<SliceSet> slices,
    @Nullable String account,
    Closure closure,
    @Nullable Period keep) {
  public Extent {
    slices = List.copyOf(slices);
  }

  /** The newest closed window (A3), or empty. */
  public Optional<Window> closedThrough(Instant now) {
    return closure.newestClosed(partitions, now);
  }
}
