package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.task.PartitionActivities;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs partitions as the test says: at once, failing, or held until it lets them go. */
final class FakePartitions implements PartitionActivities {
  final Set<String> failing = ConcurrentHashMap.newKeySet();
  final Set<String> lost = ConcurrentHashMap.newKeySet();
  final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
  private final FakeLedger ledger;
  private final List<String> begun = new ArrayList<>();
  private int running;
  private int mostAtOnce;

  FakePartitions(FakeLedger ledger) {
    this.ledger = ledger;
  }

  CountDownLatch hold(String partition) {
    return held.computeIfAbsent(partition, name -> new CountDownLatch(1));
  }

  void releaseAll() {
    held.values().forEach(CountDownLatch::countDown);
  }

  synchronized void clear() {
    failing.clear();
    lost.clear();
    begun.clear();
    held.clear();
  }

  /** Waits until so many partitions have begun. */
  void awaitBegun(int partitions) {
    Eventually.holds(
        () -> begun().size() >= partitions, () -> partitions + " begun; there are " + begun());
  }

  synchronized int mostAtOnce() {
    return mostAtOnce;
  }

  synchronized List<String> begun() {
    return List.copyOf(begun);
  }

  @Override
  public PartitionOutcome run(Claim claim) {
    begin(claim);
    try {
      CountDownLatch gate = held.get(claim.partition());
      if (gate != null && !gate.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test never let " + claim.partition() + " go");
      }
      if (lost.contains(claim.partition())) {
        throw ApplicationFailure.newNonRetryableFailure("no worker answered", "Lost");
      }
      return ledger.ended(
          claim,
          failing.contains(claim.partition())
              ? PartitionOutcome.Kind.FAILED
              : PartitionOutcome.Kind.COMMITTED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      end();
    }
  }

  private synchronized void begin(Claim claim) {
    begun.add(claim.partition());
    running++;
    mostAtOnce = Math.max(mostAtOnce, running);
  }

  private synchronized void end() {
    running--;
  }
}
