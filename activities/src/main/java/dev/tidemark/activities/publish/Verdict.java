package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.output.TakenIn;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about one output.
 *
 * @param takenIn what the ledger learns, only where it does
 * @param isStale made with an older definition, or by another attempt than the ledger says
 */
record Verdict(Sighting sighting, Kind kind, @Nullable TakenIn takenIn, boolean isStale) {
  /** The kinds. */
  enum Kind {
    /** Nothing. */
    SAME,
    /** It was lost, and is not any more. */
    BACK,
    /** Its marker is to be written back. */
    UNMARKED,
    /** It is to be made again. */
    LOST,
    /** The ledger is to learn of it. */
    TAKE_IN
  }

  static Verdict of(Sighting sighting, Kind kind) {
    return new Verdict(sighting, kind, null, false);
  }

  static Verdict takeIn(TakenIn found, Sighting sighting, boolean isStale) {
    return new Verdict(sighting, Kind.TAKE_IN, found, isStale);
  }

  /** Whether the output was there the last time, and is not now. */
  boolean isMissing() {
    return (kind == Kind.LOST || kind == Kind.UNMARKED) && !sighting.row().lost();
  }
}
