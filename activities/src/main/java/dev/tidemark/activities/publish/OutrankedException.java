package dev.tidemark.activities.publish;

import java.io.IOException;

/**
 * The store has a commit with a larger token than the newest that the ledger knows: the ledger was
 * restored from a backup, or made anew. Its tokens were raised, so that the next attempt can
 * publish.
 */
public final class OutrankedException extends IOException {
  private static final long serialVersionUID = 1L;

  OutrankedException(String marker, long later, long token) {
    super(
        ("%s has token %d, and the newest that this ledger knows is %d: the ledger was restored from a backup or made anew,"
                + " or another installation writes there. Tokens go on above it, so that the next attempt can publish")
            .formatted(marker, later, token));
  }
}
