package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What begin answers. */
public sealed interface Begin {

  /** The attempt has begun and is the newest. */
  record Begun(
      long token,
      RegisteredPipeline pipeline,
      Window window,
      Slice slice,
      Map<String, String> params,
      Context context)
      implements Begin {}

  /** The claim has ended, or a later attempt has begun: nothing to do but report this. */
  record Ended(PartitionOutcome outcome) implements Begin {}

  /**
   * What the attempt needs to know of the row.
   *
   * @param attempt number of this attempt under its claim, from 1
   * @param beganAt database's clock
   * @param claimNow the claim's logical time
   * @param closedThrough start of the newest closed window at the claim, null if none
   * @param inputVersion as last observed, null if never
   * @param predecessor token of the commit before it, null where there is none or the pipeline is
   *     not stateful
   * @param intent what an earlier attempt was about to publish, as JSON; null if nothing is in
   *     doubt
   */
  record Context(
      int attempt,
      Instant beganAt,
      Instant claimNow,
      @Nullable Instant closedThrough,
      @Nullable String inputVersion,
      @Nullable Long predecessor,
      @Nullable String intent) {}
}
