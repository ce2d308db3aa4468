package dev.tidemark.starter.session;

/** The exit codes (contracts, section 1). */
public enum ExitCode {
  DONE(0),
  /** A partition failed or was parked, or a check did not pass. */
  FAILED(1),
  /** Wrong usage or configuration; found before anything else, and nothing was changed. */
  USAGE(2),
  /** PostgreSQL, Temporal or a storage cannot be reached. */
  UNREACHABLE(3),
  /** Paused, conflicting, stale, not allowed. */
  REFUSED(4);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
