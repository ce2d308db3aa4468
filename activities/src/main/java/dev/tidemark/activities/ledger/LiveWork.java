package dev.tidemark.activities.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is under a live claim. Caps are counted from the claims themselves, never kept in a counter,
 * so that no crash can leave one wrong.
 */
final class LiveWork {
  private int live;
  private int backfill;
  private boolean integrating;
  private final Map<String, Integer> byAccount = new HashMap<>();
  private final Map<String, Integer> byBackfill = new HashMap<>();

  /**
   * @param integrating late or lookback work is among it
   */
  record Group(boolean live, @Nullable String account, boolean integrating, int count) {}

  static LiveWork of(List<Group> groups, List<ActiveBackfill> backfills) {
    LiveWork work = new LiveWork();
    for (Group group : groups) {
      work.add(group.live(), group.account(), group.count());
      work.integrating |= group.integrating();
    }
    for (ActiveBackfill active : backfills) {
      work.byBackfill.put(active.id(), active.live());
    }
    return work;
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
    taken.backfills().forEach(id -> byBackfill.merge(id, 1, Integer::sum));
  }

  int total() {
    return live + backfill;
  }

  int live() {
    return live;
  }

  boolean isIntegrating() {
    return integrating;
  }

  int ofAccount(String account) {
    return byAccount.getOrDefault(account, 0);
  }

  int ofBackfill(String id) {
    return byBackfill.getOrDefault(id, 0);
  }

  /** The accounts that hold at least {@code cap}. */
  List<String> accountsAt(int cap) {
    return byAccount.entrySet().stream()
        .filter(entry -> entry.getValue() >= cap)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
