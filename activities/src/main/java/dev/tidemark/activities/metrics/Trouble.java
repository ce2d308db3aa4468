package dev.tidemark.activities.metrics;

/** What kept an attempt from its commit, apart from its task. */
public enum Trouble {
  /** The output's store did not do what it was asked. */
  STORE,
  /** Its claim was somebody else's before it was done. */
  LEASE_LOST,
  /** It came to its commit, and a later attempt had begun: refused by its token. */
  FENCED
}
