package dev.tidemark.activities.publish;

import java.io.IOException;

/** What stands where a partition's marker belongs is not one of that partition. */
public final class BadMarkerException extends IOException {
  private static final long serialVersionUID = 1L;

  BadMarkerException(String message) {
    super(message);
  }
}
