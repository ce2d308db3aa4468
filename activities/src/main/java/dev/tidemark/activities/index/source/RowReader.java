package dev.tidemark.activities.index.source;

import dev.tidemark.activities.index.object.SourceRow;
import java.io.IOException;

/** Reads the rows of a datasource. */
@FunctionalInterface
public interface RowReader {

  /**
   * Reads all rows of a transaction.
   *
   * @return the version that was read: it may be newer than the one that was found
   * @throws BadRowsException if they cannot be taken in, however often they are read
   * @throws GoneException if the datasource does not have it any more
   */
  String read(Transaction transaction, Sink sink) throws IOException;

  /** Takes one row. */
  @FunctionalInterface
  interface Sink {
    void row(String key, SourceRow row) throws IOException;
  }
}
