package dev.tidemark.activities.index.source;

import java.io.IOException;

/** What a datasource gives breaks a rule: only other data helps, not another attempt. */
public final class BadRowsException extends IOException {
  private static final long serialVersionUID = 1L;

  public BadRowsException(String message) {
    super(message);
  }
}
