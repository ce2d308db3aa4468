package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger records of one partition, as planning needs it.
 *
 * @param commit null if it was never committed
 */
public record PartitionFacts(
    Slice slice,
    Window window,
    Generations generations,
    Versions versions,
    @Nullable Commit commit,
    Trouble trouble,
    Set<Mark> marks) {
  public PartitionFacts {
    marks = Set.copyOf(marks);
  }

  /** Whether the mark is set. */
  public boolean is(Mark mark) {
    return marks.contains(mark);
  }

  /** The same, with another version of the inputs than the processed one. */
  PartitionFacts withChangedInput() {
    String other = "other than " + versions.processed();
    return new PartitionFacts(
        slice,
        window,
        generations,
        new Versions(other, versions.processed(), versions.inputSeen()),
        commit,
        trouble,
        marks);
  }

  /** What people asked for, and what of it is done: asked for iff requested > done. */
  public record Generations(int requested, int done) {
    public boolean isAsked() {
      return requested > done;
    }
  }

  /**
   * The newest version of the inputs observed, and the one that the commit was made from; null
   * where none.
   *
   * @param inputSeen when the newest was first seen, on the database's clock; null if not known
   */
  public record Versions(
      @Nullable String input, @Nullable String processed, @Nullable Instant inputSeen) {
    /** Versions of which it is not known when they came. */
    public Versions(@Nullable String input, @Nullable String processed) {
      this(input, processed, null);
    }
  }

  /**
   * The last commit.
   *
   * @param token of the attempt that made it
   * @param closedThrough start of the newest closed window at its claim, or null where not known
   * @param definition fingerprint of the definition it was made with, or null where not known
   * @param rebuiltBefore its predecessor was committed again since, in a stateful pipeline
   */
  public record Commit(
      long token,
      @Nullable Instant closedThrough,
      @Nullable String definition,
      boolean rebuiltBefore) {
    /** One that its predecessor does not make due. */
    public Commit(long token, @Nullable Instant closedThrough, @Nullable String definition) {
      this(token, closedThrough, definition, false);
    }
  }

  /**
   * What went wrong last.
   *
   * @param failedClaims failed claims since the last success or reset
   * @param nextAttemptAt on the database's clock; null where nothing waits
   * @param nextAttemptNow the same on the clock of the claim's {@code now}, so that a now given by
   *     hand can pass it
   */
  public record Trouble(
      int failedClaims, @Nullable Instant nextAttemptAt, @Nullable Instant nextAttemptNow) {
    public static final Trouble NONE = new Trouble(0, null, null);
  }

  /** Yes-or-no facts. */
  public enum Mark {
    /** The registered definition expects it. */
    EXPECTED,
    /** Passed over by the catch-up policy. */
    SKIPPED,
    EXCUSED,
    PARKED,
    /** A live claim exists. */
    LIVE,
    /** An input is required and none is there. */
    NO_INPUT,
    /** Besides NO_INPUT: what is not there is an upstream pipeline's, and is waited for. */
    UPSTREAM_NOT_READY,
    /** The ledger says committed, the store says no. */
    OUTPUT_LOST
  }
}
