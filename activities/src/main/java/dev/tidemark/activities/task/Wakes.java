package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Settlement;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the pipelines that a settle makes work for ("The ledger's rules", Wake-ups). Only those
 * that this worker runs itself: others may live on another task queue, and a one-shot command runs
 * nothing but the pipeline that it names. Whoever is not woken sees it at its next sweep.
 */
public final class Wakes {
  private static final Logger LOG = LoggerFactory.getLogger(Wakes.class);

  private final WakeFlags flags;
  private final ObjectWakes objects;
  private final Map<String, Set<String>> readers = new HashMap<>();

  /** How those are told that are to look. */
  interface Signals {
    void pipeline(String name);

    void objectType(String name);
  }

  /**
   * @param own the pipelines that this worker runs, as it has them
   */
  public Wakes(WakeFlags flags, List<PipelineDefinition> own) {
    this(flags, own, ObjectWakes.NONE);
  }

  /**
   * The same.
   *
   * @param objects the object types that this worker builds
   */
  public Wakes(WakeFlags flags, List<PipelineDefinition> own, ObjectWakes objects) {
    this.flags = flags;
    this.objects = objects;
    for (PipelineDefinition pipeline : own) {
      for (InputSpec input : pipeline.inputs()) {
        if (input instanceof InputSpec.Upstream upstream) {
          readers
              .computeIfAbsent(upstream.pipeline(), name -> new LinkedHashSet<>())
              .add(pipeline.name());
        }
      }
    }
  }

  /**
   * New content wakes the pipelines that read it, and they in turn theirs. Content as before, and a
   * partition that nobody goes on with, may only end the waiting of those that wait.
   *
   * @param signals tell the workflows
   */
  void settled(Claim claim, Settlement settlement, Signals signals) {
    if (claim.byHand()) {
      return;
    }
    if (settlement instanceof Settlement.Ended committed && committed.changed()) {
      wakeObjects(claim.pipeline(), signals);
    }
    if (!readers.containsKey(claim.pipeline())) {
      return;
    }
    Consumer<String> signal = signals::pipeline;
    if (settlement instanceof Settlement.Ended ended) {
      if (ended.changed()) {
        wake(readers.get(claim.pipeline()), true, signal);
      } else if (ended.outcome().kind() == PartitionOutcome.Kind.COMMITTED
          || ended.outcome().kind() == PartitionOutcome.Kind.PARKED) {
        wake(everythingBelow(claim.pipeline()), false, signal);
      }
    }
  }

  private void wakeObjects(String pipeline, Signals signals) {
    try {
      objects.committed(pipeline).forEach(signals::objectType);
    } catch (RuntimeException e) {
      LOG.warn("the object types that read {} could not be woken; their schedules do", pipeline, e);
    }
  }

  // The commit stands, whatever becomes of the wake-up.
  private void wake(Collection<String> pipelines, boolean all, Consumer<String> signal) {
    try {
      flags.raise(pipelines, all).forEach(signal);
    } catch (RuntimeException e) {
      LOG.warn("{} could not be woken; the next sweep sees what has changed", pipelines, e);
    }
  }

  private Set<String> everythingBelow(String pipeline) {
    Set<String> below = new LinkedHashSet<>(readers.getOrDefault(pipeline, Set.of()));
    for (boolean more = true; more; ) {
      Set<String> next = new LinkedHashSet<>(below);
      below.forEach(reader -> next.addAll(readers.getOrDefault(reader, Set.of())));
      more = next.size() > below.size();
      below = next;
    }
    return below;
  }
}
