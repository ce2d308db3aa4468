package dev.tidemark.activities.index.source;

import java.io.IOException;

/** A transaction is not in its datasource any more: what is there now is another list. */
public final class GoneException extends IOException {
  private static final long serialVersionUID = 1L;

  public GoneException(String datasource, Transaction transaction) {
    super(
        "datasource '%s' does not have '%s' any more; the next build looks at what it has"
            .formatted(datasource, transaction.identity()));
  }
}
