package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
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
 * @param accountId what stands for the account in outputs; null for its own value
 * @param keep outputs older than this, counted back from the newest closed window, are not
 *     expected; null keeps all
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Extent(
    Partitioning partitions,
    List<SliceSet> slices,
    @Nullable String account,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable AccountId accountId,
    Closure closure,
    @Nullable Period keep) {
  /** With the accounts' own values in outputs. */
  public Extent(
      Partitioning partitions,
      List<SliceSet> slices,
      @Nullable String account,
      Closure closure,
      @Nullable Period keep) {
    this(partitions, slices, account, null, closure, keep);
  }

  public Extent {
    slices = List.copyOf(slices);
  }

  /** The newest closed window (A3), or empty. */
  public Optional<Window> closedThrough(Instant now) {
    return closure.newestClosed(partitions, now);
  }
}
