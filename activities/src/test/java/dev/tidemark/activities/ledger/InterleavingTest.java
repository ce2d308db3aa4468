package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.attempt.Settlement;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every order, up to a depth, in which claims, begins, requests, settles and lapses of time can
 * meet on one partition, run against the real SQL and compared with a plain model after each step.
 * Orders that lead to a state of the model that was reached before are not followed further.
 */
final class InterleavingTest {
  private static final int DEPTH = 7;
  private static final String NOW = "2026-01-02T00:00:00Z";
  private static final String DAY = "2026-01-01";

  private static LedgerTestDatabase database;
  private static Ledger ledger;
  private static RegisteredPipeline pipeline;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
    pipeline = ledger.register(Pipelines.daily("model").retry(2, 100));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private enum Step {
    CLAIM,
    BEGIN,
    REQUEST_MISSING,
    REQUEST_ALL,
    COMMIT_NEWEST,
    COMMIT_OLDEST,
    FAIL_NEWEST,
    TIME_PASSES
  }

  // c-A15; invariants 1, 2 and 5; must-show 4
  @Test
  void noOrderLosesARequestRunsItTwiceOrLetsAnOldAttemptSettle() {
    Set<String> reached = new HashSet<>();
    Deque<List<Step>> paths = new ArrayDeque<>();
    paths.add(List.of());
    int tried = 0;
    while (!paths.isEmpty()) {
      List<Step> path = paths.remove();
      for (Step step : Step.values()) {
        List<Step> next = new ArrayList<>(path);
        next.add(step);
        Run run = new Run();
        if (next.stream().allMatch(run::apply)) {
          tried++;
          String state = run.state();
          run.drain();
          if (next.size() < DEPTH && reached.add(state)) {
            paths.add(next);
          }
        }
      }
    }
    assertThat(tried).as("orders tried").isGreaterThan(500);
  }

  /** One attempt as its worker knows it. */
  private static final class Begun {
    final long token;
    final int gen;
    final int atStep;
    boolean settled;
    boolean committed;

    Begun(long token, int gen, int atStep) {
      this.token = token;
      this.gen = gen;
      this.atStep = atStep;
    }
  }

  private record Request(String id, boolean again, int wanted, int atStep) {}

  /** The partition as it should be. */
  private static final class Model {
    int requested;
    int done;
    @Nullable Integer running;
    boolean committed;
    boolean live;
    int attempt;
    int failures;
    boolean waiting;
    boolean lapsed;

    /** Due: asked for, or never committed. */
    boolean isDue() {
      return (requested > done || !committed) && !waiting;
    }

    @Override
    public String toString() {
      return requested + "," + done + "," + running + "," + committed + "," + live + "," + attempt
          + "," + failures + "," + waiting + "," + lapsed;
    }
  }

  /** One order of steps on a fresh row, real and modelled side by side. */
  private static final class Run {
    final Model model = new Model();
    final List<Begun> attempts = new ArrayList<>();
    final List<Request> requests = new ArrayList<>();
    final Map<Integer, Integer> committedAt = new HashMap<>();
    @Nullable Claim claim;
    int step;

    Run() {
      database.execute("delete from tidemark.backfill");
      database.execute("delete from tidemark.partition_ledger");
      database.execute("delete from tidemark.expected_slice");
      ledger.bringUpTo(pipeline, NOW);
    }

    /** False where the step makes no sense here. */
    boolean apply(Step next) {
      step++;
      boolean applied =
          switch (next) {
            case CLAIM -> claim();
            case BEGIN -> begin();
            case REQUEST_MISSING -> request(false);
            case REQUEST_ALL -> request(true);
            case COMMIT_NEWEST -> commit(newest());
            case COMMIT_OLDEST -> attempts.size() > 1 && commit(attempts.get(0));
            case FAIL_NEWEST -> fail();
            case TIME_PASSES -> pass();
          };
      if (applied) {
        compare(next);
      }
      return applied;
    }

    private boolean claim() {
      List<Claim> got = ledger.claim(pipeline, NOW, 1);
      if (model.live && model.lapsed) {
        model.live = false;
        model.attempt = 0;
        model.lapsed = false;
      }
      boolean may = !model.live && model.isDue();
      assertThat(got).as("claims of a row that is live or not due").hasSize(may ? 1 : 0);
      if (may) {
        claim = got.get(0);
        // Failures of a claim that was cut off count on: they end with the claim that settles.
        model.live = true;
        model.attempt = 0;
      }
      return true;
    }

    private boolean begin() {
      if (claim == null || attempts.size() > 3) {
        return false;
      }
      Begin begin = ledger.attempts.begin(claim, model.attempt + 1, "worker " + step);
      assertThat(begin instanceof Begin.Begun)
          .as("a begin under the live claim")
          .isEqualTo(model.live);
      if (begin instanceof Begin.Begun begun) {
        model.attempt++;
        model.running = Math.max(model.requested, model.done + 1);
        model.lapsed = false;
        attempts.add(new Begun(begun.token(), model.running, step));
        assertThat(attempts).extracting(a -> a.token).isSorted();
      }
      return true;
    }

    private boolean request(boolean again) {
      if (requests.size() == 2) {
        return false;
      }
      String id = "request " + requests.size();
      int wanted =
          model.running == null
              ? Math.max(model.requested, model.done + 1)
              : again ? model.running + 1 : model.running;
      ledger.request(pipeline, id, again, DAY);
      model.requested = Math.max(model.requested, wanted);
      requests.add(new Request(id, again, wanted, step));
      return true;
    }

    /** The row, and what may still happen to it. */
    String state() {
      StringBuilder open = new StringBuilder();
      attempts.forEach(attempt -> open.append(attempt.settled ? '-' : '+'));
      return model + " " + open + " " + requests.size() + " " + (claim != null);
    }

    private @Nullable Begun newest() {
      return attempts.isEmpty() ? null : attempts.get(attempts.size() - 1);
    }

    private boolean commit(@Nullable Begun attempt) {
      if (attempt == null || attempt.settled) {
        return false;
      }
      var settlement =
          (Settlement.Ended) ledger.attempts.commit(attempt.token, Ledger.NOTHING, null);
      attempt.settled = true;
      boolean counts = attempt == newest();
      assertThat(settlement.outcome().kind().name()).isEqualTo(counts ? "COMMITTED" : "RELEASED");
      if (counts) {
        attempt.committed = true;
        committedAt.put(attempts.indexOf(attempt), step);
        model.committed = true;
        model.done = Math.max(model.done, attempt.gen);
        end();
        model.failures = 0;
        model.waiting = false;
      }
      return true;
    }

    private boolean fail() {
      Begun attempt = newest();
      if (attempt == null || attempt.settled) {
        return false;
      }
      boolean claimed = model.live && model.attempt > 0;
      Settlement settlement =
          ledger.attempts.fail(attempt.token, Attempts.FailureKind.ERROR, "no", null);
      attempt.settled = true;
      boolean again = claimed && model.failures == 0;
      assertThat(settlement instanceof Settlement.RetryIn).isEqualTo(again);
      if (again) {
        model.failures = 1;
        model.running = null;
        model.lapsed = false;
      } else {
        end();
        model.failures = 0;
        model.waiting = true;
      }
      return true;
    }

    private void end() {
      model.live = false;
      model.attempt = 0;
      model.running = null;
      model.lapsed = false;
    }

    private boolean pass() {
      ledger.pass(pipeline, "2 days");
      model.lapsed = model.live;
      model.waiting = false;
      return true;
    }

    private void compare(Step after) {
      Map<String, @Nullable String> row = ledger.row(pipeline, DAY);
      String actual =
          row.get("requested_gen")
              + ","
              + row.get("done_gen")
              + ","
              + row.get("running_gen")
              + ","
              + (row.get("committed_token") != null)
              + ","
              + "t".equals(row.get("live"))
              + ","
              + (row.get("claim_attempt") == null ? "0" : row.get("claim_attempt"))
              + ","
              + row.get("failures");
      assertThat(model + "").as("after step %s, %s", step, after).startsWith(actual + ",");
    }

    /**
     * Whatever happened, working on until nothing is due serves each request, with one run at most.
     */
    void drain() {
      pass();
      claim();
      int runs = 0;
      while (model.live) {
        step++;
        begin();
        step++;
        Begun newest = newest();
        if (newest == null || newest.settled) {
          return;
        }
        commit(newest);
        runs++;
        claim();
      }
      assertThat(runs).as("runs that were left to do").isLessThanOrEqualTo(1);
      for (Request request : requests) {
        assertThat(
                ledger.query(
                    "select state from tidemark.backfill_item where backfill_id = '"
                        + request.id()
                        + "'"))
            .as("item of %s", request)
            .isEqualTo("completed");
        assertThat(serving(request)).as("a run that serves %s", request).isTrue();
      }
    }

    /** For all: one that began after it; for missing: one that was committed after it. */
    private boolean serving(Request request) {
      for (int i = 0; i < attempts.size(); i++) {
        Begun attempt = attempts.get(i);
        Integer committed = committedAt.get(i);
        if (committed != null
            && (request.again() ? attempt.atStep : committed) > request.atStep()) {
          return true;
        }
      }
      return false;
    }
  }
}
