package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Backfills: pinned lists of partitions, merged per partition, each with its own progress. */
public final class Backfills {
  private final DataSource dataSource;

  public Backfills(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Pins the list and asks for it, in one transaction. Idempotent by request id.
   *
   * @throws dev.tidemark.activities.ledger.LedgerRefusal if it cannot be accepted; nothing changed
   */
  public BackfillView request(RegisteredPipeline pipeline, BackfillRequest request) {
    throw new UnsupportedOperationException("to be built");
  }

  /** The same list, with its items; asks for nothing. */
  public BackfillView preview(RegisteredPipeline pipeline, BackfillRequest request) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Leaves a backfill in state rejected, with the error. */
  public BackfillView reject(RegisteredPipeline pipeline, BackfillRequest request, String error) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Newest first. */
  public List<BackfillView> list() {
    throw new UnsupportedOperationException("to be built");
  }

  public Optional<BackfillView> find(String backfillId) {
    throw new UnsupportedOperationException("to be built");
  }

  public BackfillView pause(String backfillId) {
    throw new UnsupportedOperationException("to be built");
  }

  public BackfillView resume(String backfillId) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Nothing of it starts after this returns; what runs finishes, or, with {@code stopRunning},
   * loses its claim.
   */
  public BackfillView cancel(String backfillId, boolean stopRunning) {
    throw new UnsupportedOperationException("to be built");
  }

  public BackfillView setParallel(String backfillId, int parallel) {
    throw new UnsupportedOperationException("to be built");
  }
}
