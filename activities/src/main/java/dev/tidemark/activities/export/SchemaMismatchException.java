package dev.tidemark.activities.export;

import java.util.List;

/** The query returns other columns than the pinned ones; nothing was written. */
public final class SchemaMismatchException extends Exception {
  private static final long serialVersionUID = 1L;

  SchemaMismatchException(List<String> differences) {
    super(
        "the query does not return the pinned columns: "
            + String.join("; ", differences)
            + ". Nothing was written. Change the query; a changed schema is a dataset of its own,"
            + " beside the old one");
  }
}
