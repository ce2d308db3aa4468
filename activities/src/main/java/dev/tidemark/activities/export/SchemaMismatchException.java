package dev.tidemark.activities.export;

import java.util.List;

/** A query returns something else than what the definition says; nothing was written. */
public final class SchemaMismatchException extends Exception {
  private static final long serialVersionUID = 1L;

  SchemaMismatchException(String message) {
    super(message);
  }

  /** Of the columns that are not the pinned ones. */
  SchemaMismatchException(List<String> differences) {
    this(
        "the query does not return the pinned columns: "
            + String.join("; ", differences)
            + ". Nothing was written. Change the query; a changed schema is a dataset of its own,"
            + " beside the old one");
  }
}
