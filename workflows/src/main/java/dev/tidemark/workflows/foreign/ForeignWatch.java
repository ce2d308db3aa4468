package dev.tidemark.workflows.foreign;

import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cancels tasks whose claims were ended meanwhile: another SDK cannot look at the ledger. Looks
 * soon after one has started and then ever more seldom, so that a lane's history stays short.
 */
final class ForeignWatch {
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final ForeignActivities ledger = ForeignPolicies.settle();
  private final SortedMap<Long, CancellationScope> running = new TreeMap<>();
  private Duration pause = FIRST;
  private boolean looks;

  void started(long token, CancellationScope task) {
    running.put(token, task);
    pause = FIRST;
    if (!looks) {
      looks = true;
      lookLater();
    }
  }

  void ended(long token) {
    running.remove(token);
  }

  private void lookLater() {
    Detached.run(() -> Workflow.newTimer(pause).thenApply(passed -> look()));
  }

  private @Nullable Void look() {
    if (running.isEmpty()) {
      looks = false;
      return null;
    }
    List<Long> asked = List.copyOf(running.keySet());
    Detached.run(
        () ->
            Async.function(ledger::held, asked)
                .handle(
                    (held, failed) -> {
                      if (held != null) {
                        asked.stream().filter(token -> !held.contains(token)).forEach(this::cancel);
                      }
                      pause = shorter(pause.multipliedBy(2), LONGEST);
                      lookLater();
                      return null;
                    }));
    return null;
  }

  private void cancel(long token) {
    CancellationScope task = running.get(token);
    if (task != null) {
      task.cancel("its claim was ended");
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
