package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ServingProcesses;
import dev.tidemark.activities.index.ledger.ServingProcesses.Serving;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.Hydration;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Watches the processes that answer queries until they have a generation open. */
final class HydrationWatch {
  /** A process that takes longer goes on by itself, and is seen then. */
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private static final Duration EVERY = Duration.ofMillis(250);

  private final ServingProcesses processes;
  private final Jobs jobs;

  HydrationWatch(DataSource ledger) {
    this.processes = new ServingProcesses(ledger);
    this.jobs = new Jobs(ledger);
  }

  /** Each process is a job of the build: begun where it is seen, completed where it is ready. */
  Hydration await(Build build, ObjectIndex index, ActivityExecutionContext activity) {
    processes.forgetDead(index.typeId());
    long end = System.nanoTime() + LONGEST.toNanos();
    Map<String, Boolean> shown = new HashMap<>();
    while (true) {
      List<Serving> seen = processes.of(index);
      seen.forEach(process -> show(build, process, shown));
      List<String> waiting = names(seen, build, false);
      if (waiting.isEmpty() || System.nanoTime() - end > 0) {
        return new Hydration(names(seen, build, true), waiting);
      }
      activity.heartbeat(null);
      pause();
    }
  }

  private static List<String> names(List<Serving> seen, Build build, boolean ready) {
    return seen.stream()
        .filter(process -> isReady(process, build) == ready)
        .map(Serving::process)
        .toList();
  }

  private static boolean isReady(Serving process, Build build) {
    return process.generation() >= build.generation();
  }

  private void show(Build build, Serving process, Map<String, Boolean> shown) {
    boolean ready = isReady(process, build);
    Boolean before = shown.put(process.process(), ready);
    if (before == null) {
      jobs.begin(build, Jobs.Stage.HYDRATE, process.process());
    }
    if (ready && !Boolean.TRUE.equals(before)) {
      jobs.complete(build, Jobs.Stage.HYDRATE, process.process(), new Jobs.Published(null, 0, 0));
    } else if (!ready && process.error() != null) {
      jobs.fail(build, Jobs.Stage.HYDRATE, process.process(), process.error());
    }
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(EVERY.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApplicationFailure.newFailure("the worker stops", "TidemarkStopped");
    }
  }
}
