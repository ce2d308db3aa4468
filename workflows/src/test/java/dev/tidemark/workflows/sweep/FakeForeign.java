package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.foreign.ForeignActivities;
import dev.tidemark.workflows.foreign.ForeignFailure;
import dev.tidemark.workflows.foreign.ForeignInput;
import dev.tidemark.workflows.foreign.ForeignResult;
import dev.tidemark.workflows.foreign.ForeignSettled;
import dev.tidemark.workflows.foreign.ForeignStart;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Begins and settles partitions whose tasks run elsewhere; a failed one gets a second attempt. */
final class FakeForeign implements ForeignActivities {
  static final TaskSpec.Foreign ACTIVITY =
      new TaskSpec.Activity(
          OtherSide.TYPE,
          OtherSide.TASK_QUEUE,
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1));
  static final TaskSpec.Foreign WORKFLOW =
      new TaskSpec.Workflow(
          OtherSide.Flow.TYPE, OtherSide.TASK_QUEUE, Duration.ofMinutes(1), Duration.ofHours(1));

  final List<ForeignFailure> failures = new CopyOnWriteArrayList<>();
  final List<Long> published = new CopyOnWriteArrayList<>();
  final Map<String, TaskSpec.Foreign> tasks = new ConcurrentHashMap<>();

  /** Partitions whose claims are ended as soon as somebody looks. */
  final Set<String> ended = ConcurrentHashMap.newKeySet();

  /** Partitions of which the worker is lost while it publishes. */
  final Set<String> lostPublishing = ConcurrentHashMap.newKeySet();

  private final FakeLedger ledger;
  private final AtomicLong tokens = new AtomicLong();
  private final Map<Long, String> begun = new ConcurrentHashMap<>();

  FakeForeign(FakeLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public ForeignStart begin(Claim claim, int after) {
    long token = tokens.incrementAndGet();
    begun.put(token, claim.partition());
    return ForeignStart.run(
        tasks.getOrDefault(claim.partition(), ACTIVITY),
        new ForeignInput(
            claim.pipeline(),
            claim.partition(),
            Map.of(),
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(1),
            "UTC",
            Map.of(),
            null,
            token,
            after + 1,
            "/out/" + token));
  }

  @Override
  public ForeignSettled publish(Claim claim, long token, ForeignResult result) {
    if (lostPublishing.contains(claim.partition())) {
      throw ApplicationFailure.newNonRetryableFailure("no worker answered", "Lost");
    }
    published.add(token);
    return new ForeignSettled(ledger.ended(claim, PartitionOutcome.Kind.COMMITTED), null);
  }

  @Override
  public ForeignSettled fail(Claim claim, long token, ForeignFailure failure) {
    failures.add(failure);
    return failure.kind() == ForeignFailure.Kind.FAILED && failures.size() == 1
        ? new ForeignSettled(null, 10L)
        : new ForeignSettled(ledger.ended(claim, PartitionOutcome.Kind.FAILED), null);
  }

  @Override
  public boolean isBegun(String workflowId) {
    return !workflowId.startsWith("tidemark/daily/p9/");
  }

  @Override
  public List<Long> held(List<Long> asked) {
    return asked.stream().filter(token -> !ended.contains(begun.get(token))).toList();
  }
}
