package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;

/** Requests as {@link FakeLedger} understands them. */
final class Requests {
  private Requests() {}

  /** For so many partitions; from "refused" is refused. */
  static BackfillRequest backfill(String from, int partitions) {
    return new BackfillRequest(
        null, from, "" + partitions, null, null, null, null, null, null, null, null);
  }

  /** One whose shape alone is wrong. */
  static BackfillRequest malformed() {
    return new BackfillRequest(null, "a", "1", null, null, null, 0, null, null, null, null);
  }
}
