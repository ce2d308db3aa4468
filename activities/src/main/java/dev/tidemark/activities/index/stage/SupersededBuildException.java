package dev.tidemark.activities.index.stage;

import java.io.IOException;

/** A later build of the index has begun: this one must not write any more. */
public final class SupersededBuildException extends IOException {
  private static final long serialVersionUID = 1L;

  public SupersededBuildException(String step) {
    super("a later build of the index has begun; this one must not " + step);
  }
}
