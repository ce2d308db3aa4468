package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.ClaimResult;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Refusal;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.ledger.SweepPlan;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A ledger in memory that keeps the rules which the workflows rely on. */
final class FakeLedger implements LedgerActivities {
  static final String PIPELINE = "daily";
  static final Instant NOW = Instant.parse("2026-09-06T01:00:00Z");

  /** What may be done with a row. */
  enum State {
    DUE,
    REQUESTED,
    /** Asked for, and due for a retry once an outlook has said when. */
    WAITING,
    LIVE,
    ENDED
  }

  final List<ClaimRequest> claims = new ArrayList<>();
  final List<Claim> timeouts = new ArrayList<>();
  final List<BackfillRequest> requests = new ArrayList<>();
  private final Map<String, State> rows = new LinkedHashMap<>();
  private final Map<String, List<Claim>> byRequest = new LinkedHashMap<>();
  private int parallel = 4;
  private boolean foreign;
  private int maxPartitions = 10_000;
  private long maxDurationSeconds = 3600;
  private boolean paused;
  private int plans;
  private int plansToFail;
  private int claimsToFail;
  private boolean removed;
  private Duration claimTimeout = Duration.ZERO;
  private @Nullable Outlook fixedOutlook;
  private @Nullable Instant waitsUntil;
  private @Nullable Runnable beforeLastOutlook;

  /** How long the last claim might have taken. */
  synchronized Duration claimTimeout() {
    return claimTimeout;
  }

  synchronized FakeLedger due(int partitions) {
    return add(partitions, State.DUE);
  }

  synchronized FakeLedger requested(int partitions) {
    return add(partitions, State.REQUESTED);
  }

  synchronized void waiting(int partitions, Instant until) {
    add(partitions, State.WAITING);
    waitsUntil = until;
  }

  private FakeLedger add(int partitions, State state) {
    for (int i = 0; i < partitions; i++) {
      rows.put("p" + rows.size(), state);
    }
    return this;
  }

  synchronized FakeLedger parallel(int width) {
    parallel = width;
    return this;
  }

  /** Its tasks are run by another SDK. */
  synchronized FakeLedger foreign() {
    foreign = true;
    return this;
  }

  synchronized FakeLedger limits(int partitions, long seconds) {
    maxPartitions = partitions;
    maxDurationSeconds = seconds;
    return this;
  }

  synchronized FakeLedger paused() {
    paused = true;
    return this;
  }

  synchronized FakeLedger failingPlans(int times) {
    plansToFail = times;
    return this;
  }

  synchronized FakeLedger failingClaims(int times) {
    claimsToFail = times;
    return this;
  }

  synchronized FakeLedger removed() {
    removed = true;
    return this;
  }

  synchronized void outlook(Outlook always) {
    fixedOutlook = always;
  }

  /** Runs once, while the answer that nothing is left is on its way. */
  synchronized void beforeLastOutlook(Runnable action) {
    beforeLastOutlook = action;
  }

  synchronized long count(State state) {
    return rows.values().stream().filter(state::equals).count();
  }

  /** Waits until so many partitions are in that state. */
  void await(State state, long partitions) {
    Eventually.holds(
        () -> count(state) == partitions,
        () -> partitions + " partitions " + state + "; there are " + count(state));
  }

  /** Forgets everything: no workflow may be running. */
  synchronized void clear() {
    foreign = false;
    rows.clear();
    byRequest.clear();
    requests.clear();
    claims.clear();
  }

  synchronized int plans() {
    return plans;
  }

  /** How many partitions each lane got; a lane's requests carry its id. */
  synchronized Collection<Integer> claimedByLane() {
    Map<String, Integer> claimed = new LinkedHashMap<>();
    byRequest.forEach(
        (request, taken) ->
            claimed.merge(
                request.substring(0, request.lastIndexOf('/')), taken.size(), Integer::sum));
    return claimed.values();
  }

  @Override
  public synchronized SweepPlan plan(PlanRequest request) {
    plans++;
    if (plansToFail > 0) {
      plansToFail--;
      throw new IllegalStateException("the database is not there");
    }
    int planned = (int) rows.values().stream().filter(s -> isIn(request.scope(), s)).count();
    Instant now = Optional.ofNullable(request.now()).orElse(NOW);
    return new SweepPlan(
        now, "2026-09-05", planned, maxPartitions, maxDurationSeconds, parallel, paused);
  }

  @Override
  public synchronized ClaimResult claim(ClaimRequest request) {
    claimTimeout = Activity.getExecutionContext().getInfo().getStartToCloseTimeout();
    if (claimsToFail > 0) {
      claimsToFail--;
      throw new IllegalStateException("the database is not there");
    }
    if (removed) {
      throw ApplicationFailure.newNonRetryableFailure(
          "there is no pipeline 'daily'", Refusal.UNKNOWN_PIPELINE);
    }
    List<Claim> taken = byRequest.computeIfAbsent(request.requestId(), id -> take(request));
    return new ClaimResult(taken, new ClaimResult.LanePolicy(parallel, 60, 3, 100, 1000, foreign));
  }

  private List<Claim> take(ClaimRequest request) {
    claims.add(request);
    long free = Math.max(0, parallel - count(State.LIVE));
    List<String> names =
        rows.entrySet().stream()
            .filter(row -> isIn(request.scope(), row.getValue()))
            .map(Map.Entry::getKey)
            .limit(Math.min(free, request.want()))
            .toList();
    names.forEach(name -> rows.put(name, State.LIVE));
    return names.stream()
        .map(name -> new Claim(request.requestId(), 1L, request.pipeline(), name, ""))
        .toList();
  }

  private static boolean isIn(Scope scope, State state) {
    return state == State.REQUESTED || (scope == Scope.ALL && state == State.DUE);
  }

  @Override
  public synchronized BackfillView requestBackfill(
      String pipeline, BackfillRequest request, boolean recordRefusal) {
    boolean refused = request.from().equals("refused");
    if (refused && !recordRefusal) {
      throw ApplicationFailure.newNonRetryableFailure(
          "'refused' is not a window of " + pipeline, Refusal.INVALID);
    }
    boolean known =
        requests.stream()
            .anyMatch(earlier -> Objects.equals(request.requestId(), earlier.requestId()));
    if (!known) {
      requests.add(request);
    }
    int partitions = refused ? 0 : Integer.parseInt(request.to());
    if (!refused && !known) {
      add(partitions, State.REQUESTED);
    }
    return new BackfillView(
        request.requestId(),
        pipeline,
        refused ? BackfillView.State.REJECTED : BackfillView.State.REQUESTED,
        partitions,
        0,
        0,
        0,
        0,
        refused ? "'refused' is not a window" : null,
        null);
  }

  @Override
  public synchronized void changed(String pipeline, InputChange change) {
    if (change.partition().equals("refused")) {
      throw ApplicationFailure.newNonRetryableFailure("'refused' is no window", Refusal.INVALID);
    }
    rows.put(change.partition(), State.DUE);
  }

  @Override
  public synchronized Outlook outlook(PlanRequest request) {
    Instant until = waitsUntil;
    if (until != null) {
      waitsUntil = null;
      int waiting = (int) count(State.WAITING);
      rows.replaceAll((name, state) -> state == State.WAITING ? State.REQUESTED : state);
      return new Outlook(0, 0, waiting, waiting, until);
    }
    int claimable = (int) rows.values().stream().filter(s -> isIn(request.scope(), s)).count();
    int live = (int) count(State.LIVE);
    if (fixedOutlook != null) {
      return fixedOutlook;
    }
    if (claimable + live == 0 && beforeLastOutlook != null) {
      Runnable action = beforeLastOutlook;
      beforeLastOutlook = null;
      action.run();
    }
    return new Outlook(claimable, live, 0, claimable + live, live > 0 ? NOW : null);
  }

  @Override
  public synchronized PartitionOutcome settleTimeout(Claim claim, String error) {
    timeouts.add(claim);
    return ended(claim, PartitionOutcome.Kind.FAILED);
  }

  synchronized PartitionOutcome ended(Claim claim, PartitionOutcome.Kind kind) {
    rows.put(claim.partition(), State.ENDED);
    return new PartitionOutcome(kind, null);
  }
}
