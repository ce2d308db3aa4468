package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one sweep has claimed and committed so far, counted from its rows and never kept in a
 * counter.
 */
final class SweepWork {
  private final Map<String, Integer> claimedByAccount = new HashMap<>();
  private long files;
  private long bytes;

  private static final Sql OF_SWEEP =
      Sql.of(
          """
          select l.account, count(*) as count,
                 coalesce(sum(coalesce(l.files, 1)) filter (where l.claim_id is null
                   and l.committed_token = l.token), 0)::bigint as files,
                 coalesce(sum(l.bytes) filter (where l.claim_id is null
                   and l.committed_token = l.token), 0)::bigint as bytes
            from tidemark.partition_ledger l
           where l.pipeline_id = :pipeline and l.claim_sweep = :sweep
           group by 1
          """);

  /**
   * Committed are the rows whose newest attempt committed and that nobody holds; a commit whose
   * files were not counted has one. Null where no sweep asks; nothing where no limit counts it.
   */
  static @Nullable SweepWork of(
      Connection connection, RegisteredPipeline pipeline, @Nullable String sweep)
      throws SQLException {
    if (sweep == null) {
      return null;
    }
    SweepWork work = new SweepWork();
    if (isCounted(pipeline.definition().pace().limits())) {
      OF_SWEEP.on(connection).set("pipeline", pipeline.id()).set("sweep", sweep).results(work::add);
    }
    return work;
  }

  private void add(Row row) throws SQLException {
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
