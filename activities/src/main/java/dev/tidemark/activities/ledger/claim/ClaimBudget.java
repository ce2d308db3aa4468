package dev.tidemark.activities.ledger.claim;

import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.Limits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses from the candidates, each class in its order, within every cap. Live work gets the next
 * free slot while it holds fewer than ceil((1 - share) x parallel), else the backfills; at parallel
 * 1 the class served longest ago. A slot that one class cannot use goes to the other. Within a
 * class the accounts take turns, each in its order.
 */
final class ClaimBudget {
  private final Limits limits;
  private final LiveWork held;
  private final Map<String, Integer> backfillParallel = new HashMap<>();
  private final Rotation rotation;
  private boolean servedLive;
  private int slots;

  /** Of a pipeline without accounts. */
  ClaimBudget(
      Limits limits, LiveWork held, List<ActiveBackfill> backfills, boolean servedLive, int want) {
    this(limits, held, backfills, servedLive, want, Rotation.beginning(Accounts.DEFAULT));
  }

  /**
   * @param servedLive live work was served last
   * @param want the most to take
   * @param rotation whose turn it is
   */
  ClaimBudget(
      Limits limits,
      LiveWork held,
      List<ActiveBackfill> backfills,
      boolean servedLive,
      int want,
      Rotation rotation) {
    this.limits = limits;
    this.held = held;
    this.rotation = rotation;
    this.servedLive = servedLive;
    this.slots = Math.max(0, Math.min(want, limits.parallel() - held.total()));
    for (ActiveBackfill backfill : backfills) {
      Integer parallel = backfill.parallel();
      if (parallel != null) {
        backfillParallel.put(backfill.id(), parallel);
      }
    }
  }

  /** How many more may be taken. */
  int slots() {
    return slots;
  }

  boolean servedLive() {
    return servedLive;
  }

  Rotation rotation() {
    return rotation;
  }

  /** The accounts that may have nothing more. */
  List<String> fullAccounts() {
    return held.fullAccounts(limits);
  }

  boolean hasRoom(String backfill) {
    Integer cap = backfillParallel.get(backfill);
    return cap == null || held.ofBackfill(backfill) < cap;
  }

  /** Takes as many as there are slots for, in order. */
  List<Candidate> choose(List<Candidate> candidates) {
    Deque<Candidate> live = queue(candidates, true);
    Deque<Candidate> backfill = queue(candidates, false);
    List<Candidate> chosen = new ArrayList<>();
    while (slots > 0) {
      boolean liveFirst = isLiveNext();
      Candidate next = firstAllowed(liveFirst ? live : backfill);
      if (next == null) {
        next = firstAllowed(liveFirst ? backfill : live);
      }
      if (next == null) {
        return chosen;
      }
      held.add(next);
      rotation.served(next);
      servedLive = next.live();
      slots--;
      chosen.add(next);
    }
    return chosen;
  }

  private Deque<Candidate> queue(List<Candidate> candidates, boolean ofLive) {
    return new ArrayDeque<>(
        rotation.ordered(
            candidates.stream().filter(candidate -> candidate.live() == ofLive).toList(), ofLive));
  }

  private boolean isLiveNext() {
    if (limits.parallel() == 1) {
      return !servedLive;
    }
    return held.live() < limits.liveShare();
  }

  /**
   * A cap only ever fills up within one claim, so what it holds back now is not looked at again.
   */
  private @Nullable Candidate firstAllowed(Deque<Candidate> queue) {
    while (!queue.isEmpty()) {
      Candidate next = queue.remove();
      if (isAllowed(next)) {
        return next;
      }
    }
    return null;
  }

  private boolean isAllowed(Candidate candidate) {
    String account = candidate.account();
    if (account != null && held.isFull(account, limits)) {
      return false;
    }
    return candidate.backfills().isEmpty()
        || candidate.backfills().stream().anyMatch(this::hasRoom);
  }
}
