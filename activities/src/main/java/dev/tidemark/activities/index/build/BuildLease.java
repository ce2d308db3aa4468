package dev.tidemark.activities.index.build;

/** The right of an attempt to write for its build. */
@FunctionalInterface
interface BuildLease {
  /**
   * Asks the ledger.
   *
   * @throws SupersededException if the build is not the newest of its index any more, or Temporal
   *     has begun another attempt of the same stage
   */
  void check();
}
