package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.workflows.pipeline.Limits;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What one sweep has claimed and committed so far, counted from its rows and never kept in a
 * counter.
 */
final class SweepWork {
  private final Map<String, Integer> claimedByAccount = new HashMap<>();
  private long files;
  private long bytes;

  /** Adds what is recorded of one account, or of the rows without one. */
  void add(Row row) throws SQLException {
    String account = row.textOrNull("account");
    if (account != null) {
      claimedByAccount.put(account, row.integer("count"));
    }
    files += row.number("files");
    bytes += row.number("bytes");
  }

  Map<String, Integer> claimedByAccount() {
    return claimedByAccount;
  }

  /** Whether it has committed as much as one sweep may. */
  boolean isFull(Limits limits) {
    Limits.Volume volume = limits.volume();
    return volume != null && volume.isReachedBy(files, bytes);
  }

  /**
   * Whether the rows of a sweep are to be told from others: only where a limit counts them, so that
   * the index on them holds the rows of such pipelines alone.
   */
  static boolean isCounted(Limits limits) {
    return limits.perAccount() != null || limits.volume() != null;
  }
}
