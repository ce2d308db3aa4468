package dev.tidemark.activities.publish;

/** A later attempt has begun, or the claim has ended: this attempt may not publish. */
public final class SupersededException extends Exception {
  private static final long serialVersionUID = 1L;

  SupersededException(String step) {
    super("no longer the newest attempt of its partition, found before it could " + step);
  }
}
