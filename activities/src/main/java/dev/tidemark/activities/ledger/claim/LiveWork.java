package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.planning.LiveClaims;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is under a live claim, and what the sweep that asks has claimed. Caps are counted from the
 * claims themselves, never kept in a counter, so that no crash can leave one wrong.
 */
public final class LiveWork {
  private int live;
  private int backfill;
  private final Map<String, Integer> byAccount = new HashMap<>();
  private final boolean inSweep;
  private final Map<String, Integer> bySweepsAccount = new HashMap<>();
  private final Map<String, Integer> byBackfill = new HashMap<>();
  private final Map<String, Integer> capped = new HashMap<>();

  /** So many of one class and one account. */
  public record Group(boolean live, @Nullable String account, int count) {}

  private LiveWork(boolean inSweep) {
    this.inSweep = inSweep;
  }

  /**
   * What is live now.
   *
   * @param ofSweep what the sweep has claimed so far, per account; null outside a sweep, where no
   *     limit of sweeps counts
   */
  public static LiveWork of(
      List<Group> groups, @Nullable Map<String, Integer> ofSweep, List<ActiveBackfill> backfills) {
    LiveWork work = new LiveWork(ofSweep != null);
    if (ofSweep != null) {
      work.bySweepsAccount.putAll(ofSweep);
    }
    for (Group group : groups) {
      work.add(group.live(), group.account(), group.count());
    }
    for (ActiveBackfill active : backfills) {
      work.byBackfill.put(active.id(), active.live());
    }
    return work;
  }

  /** With accounts that are left alone: how many of each may run at once, none or one. */
  LiveWork leaving(List<OpenBreaker> breakers) {
    breakers.forEach(breaker -> capped.put(breaker.account(), breaker.cap()));
    return this;
  }

  private void add(boolean isLive, @Nullable String account, int count) {
    if (isLive) {
      live += count;
    } else {
      backfill += count;
    }
    if (account != null) {
      byAccount.merge(account, count, Integer::sum);
    }
  }

  void add(Candidate taken) {
    add(taken.live(), taken.account(), 1);
    String account = taken.account();
    if (account != null && inSweep) {
      bySweepsAccount.merge(account, 1, Integer::sum);
    }
    taken.backfills().forEach(id -> byBackfill.merge(id, 1, Integer::sum));
  }

  public LiveClaims claims() {
    return new LiveClaims(live, backfill, byAccount);
  }

  int total() {
    return live + backfill;
  }

  int live() {
    return live;
  }

  /**
   * Whether an account holds as much as it may at once, or has had as much as one sweep may, or is
   * left alone.
   */
  boolean isFull(String account, Limits limits) {
    return isAt(limits.perAccountParallel(), byAccount, account)
        || isAt(capped.get(account), byAccount, account)
        || isAt(limits.perAccount(), bySweepsAccount, account);
  }

  private static boolean isAt(@Nullable Integer cap, Map<String, Integer> counts, String account) {
    return cap != null && counts.getOrDefault(account, 0) >= cap;
  }

  int ofBackfill(String id) {
    return byBackfill.getOrDefault(id, 0);
  }

  /** The accounts that are full. */
  List<String> fullAccounts(Limits limits) {
    return Stream.of(byAccount, bySweepsAccount, capped)
        .flatMap(accounts -> accounts.keySet().stream())
        .distinct()
        .filter(account -> isFull(account, limits))
        .sorted()
        .toList();
  }
}
