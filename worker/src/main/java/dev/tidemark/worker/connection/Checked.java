package dev.tidemark.worker.connection;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What came of one check.
 *
 * @param kind database, folder, object store or key
 * @param detail what it is or does, or what is wrong
 */
public record Checked(
    String name, String kind, boolean ok, String detail, @JsonIgnore Verdict verdict) {
  /** From the best to the worst. */
  public enum Verdict {
    WORKS,
    /** It can be reached, and cannot be used. */
    FAILS,
    UNREACHABLE
  }

  static Checked works(String name, String kind, String detail) {
    return new Checked(name, kind, true, detail, Verdict.WORKS);
  }

  static Checked fails(String name, String kind, String detail, Verdict verdict) {
    return new Checked(name, kind, false, detail, verdict);
  }
}
