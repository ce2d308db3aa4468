package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.task.PartitionOutcome;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Begin, renew and settle: each by token, so that only the newest attempt can do anything. */
public final class Attempts {
  private final DataSource dataSource;

  public Attempts(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * An attempt's first act: a new, larger token, unless a later attempt has begun.
   *
   * @param attempt Temporal's number of the attempt
   * @param worker who runs it, for people
   */
  public Begin begin(Claim claim, int attempt, String worker) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Records the version that the attempt read. Also an observation of the row, unless a newer
   * exists.
   *
   * @param readAt database's clock, before the reading
   */
  public void observed(long token, @Nullable String version, Instant readAt) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Whether the token is still the newest of its row, and the row's claim is not given to another.
   */
  public boolean holds(long token) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Records what the attempt is about to publish, if its token is still the newest.
   *
   * @return false if it is not
   */
  public boolean intend(long token, String intent) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Settles a commit, if the token is still the newest. */
  public Settlement commit(long token, Committed committed, @Nullable String log) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Settles a failure, if the token is still the newest. */
  public Settlement fail(long token, FailureKind kind, String error, @Nullable String log) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Extends the leases of these attempts, in one statement. Returns those still held. */
  public Set<Long> renew(Collection<Long> tokens) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Ends a claim for which Temporal reported a timeout: counts a lost attempt, or gives back a
   * claim that never began.
   */
  public PartitionOutcome settleTimeout(Claim claim, String error) {
    throw new UnsupportedOperationException("to be built");
  }

  /** What a commit made; null where not known. */
  public record Committed(
      @Nullable String output,
      @Nullable String content,
      @Nullable Long rows,
      @Nullable Long bytes) {}

  /** How an attempt failed. */
  public enum FailureKind {
    /** Worth another attempt. */
    ERROR,
    /** The data is bad (exit code 65): parked at once. */
    BAD_DATA,
    /** Not ready (exit code 75): again after then-after, nothing spent. */
    NOT_READY,
    /**
     * The worker shuts down, or the task differs from the registered one: given back, nothing
     * spent.
     */
    RELEASED
  }
}
