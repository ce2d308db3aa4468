package dev.tidemark.worker.access;

/** What somebody may do; each may what the one before it may. */
public enum Role {
  /** Read. */
  VIEW,
  /** Change what runs. */
  OPERATE;

  boolean covers(Role needed) {
    return compareTo(needed) >= 0;
  }
}
