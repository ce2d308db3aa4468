package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a plan depends on.
 *
 * @param slices the slices that the definition expects now
 * @param facts of every partition that has a row; one without counts as never attempted
 * @param observed of the inputs, just now; null to take what the facts say of them
 * @param now the logical time, which decides what is closed
 * @param clock the ledger's clock, on which retries wait; equal to now unless now is given by hand
 * @param range what to list, skipped partitions too; null for all that would run, and only that
 */
public record PlanInput(
    Registration registration,
    List<ExpectedSlice> slices,
    List<PartitionFacts> facts,
    @Nullable ObservedVersions observed,
    Instant now,
    Instant clock,
    @Nullable Range range) {
  public PlanInput {
    slices = List.copyOf(slices);
    facts = List.copyOf(facts);
  }

  PipelineDefinition definition() {
    return registration.definition();
  }

  Partitioning partitions() {
    return definition().extent().partitions();
  }

  /**
   * A pipeline as the ledger has it.
   *
   * @param fingerprint of the definition
   * @param paused live work is paused
   * @param lookbackFloor start of the newest window committed when the present lookback was
   *     registered, null if none was
   * @param leftAlone accounts of which nothing is claimed at present
   * @param refused those, and the accounts that are tried again, one partition at a time: nobody
   *     waits for what is late of them
   * @param turns whose turn it is
   */
  public record Registration(
      PipelineDefinition definition,
      String fingerprint,
      boolean paused,
      @Nullable Instant lookbackFloor,
      Set<String> leftAlone,
      Set<String> refused,
      Turns turns) {
    public Registration {
      leftAlone = Set.copyOf(leftAlone);
      refused = Set.copyOf(refused);
    }

    /** With no account refused, before any turn. */
    public Registration(
        PipelineDefinition definition,
        String fingerprint,
        boolean paused,
        @Nullable Instant lookbackFloor) {
      this(
          definition,
          fingerprint,
          paused,
          lookbackFloor,
          Set.of(),
          Set.of(),
          new Turns(definition.pace().sharing(), null));
    }
  }

  /**
   * From the first window to the last, inclusive.
   *
   * @param from null for the pipeline's first
   * @param to null for the newest closed one
   */
  public record Range(@Nullable Window from, @Nullable Window to) {
    boolean contains(Window window) {
      return (from == null || window.compareTo(from) >= 0)
          && (to == null || window.compareTo(to) <= 0);
    }
  }
}
