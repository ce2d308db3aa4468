package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ServingProcesses;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.activities.ledger.database.LedgerException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the ledger what this process has open: at once where that changed, else now and then. */
final class Reports {
  private static final Logger log = LoggerFactory.getLogger(Reports.class);
  private static final long AGAIN = ServingProcesses.SEEN.dividedBy(3).toNanos();

  private final ServingProcesses processes;
  private final ObjectIndexes indexes;
  private final String process;
  private final Map<Long, Report> last = new HashMap<>();

  private record Report(long generation, @Nullable String problem, long at) {}

  Reports(ServingProcesses processes, ObjectIndexes indexes, String process) {
    this.processes = processes;
    this.indexes = indexes;
    this.process = process;
  }

  /**
   * Says it, if that is due.
   *
   * @param open the index, if it is
   * @param problem why its newest generation is not
   */
  void tell(long index, Optional<ServedIndex> open, Optional<String> problem) {
    Generation stands = open.map(ServedIndex::generation).orElse(new Generation(index, 0, 0));
    long now = System.nanoTime();
    Report before = last.get(index);
    if (before != null
        && before.generation() == stands.generation()
        && Optional.ofNullable(before.problem()).equals(problem)
        && now - before.at() < AGAIN) {
      return;
    }
    processes.report(
        process,
        open.isPresent() ? open.get().index() : indexes.get(index),
        stands.generation(),
        stands.editOffset(),
        problem.orElse(null));
    last.put(index, new Report(stands.generation(), problem.orElse(null), now));
  }

  /** Withdraws what was said of other indexes. */
  void forgetAllBut(Set<Long> wanted) {
    for (Long index : Set.copyOf(last.keySet())) {
      if (!wanted.contains(index)) {
        processes.forget(process, indexes.get(index));
        last.remove(index);
      }
    }
  }

  /** Withdraws everything. */
  void forgetAll() {
    try {
      processes.forget(process);
    } catch (LedgerException e) {
      log.info("the ledger takes this process for one that serves, for a few seconds more", e);
    }
  }
}
