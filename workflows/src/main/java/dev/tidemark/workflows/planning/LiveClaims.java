package dev.tidemark.workflows.planning;

import java.util.Map;

/**
 * What is under a live claim.
 *
 * @param live of live work
 * @param backfill of what was asked for only
 * @param byAccount both together, of each account that has any
 */
public record LiveClaims(int live, int backfill, Map<String, Integer> byAccount) {
  public static final LiveClaims NONE = new LiveClaims(0, 0, Map.of());

  public LiveClaims {
    byAccount = Map.copyOf(byAccount);
  }

  int total() {
    return live + backfill;
  }

  int ofAccount(String account) {
    return byAccount.getOrDefault(account, 0);
  }
}
