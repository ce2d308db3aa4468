package dev.tidemark.activities.index.source;

import java.io.IOException;
import java.util.List;

/** Where the rows of a datasource are. */
interface Source {

  /** The transactions that there are, in the order of their commits. */
  List<Found> find() throws IOException;

  /**
   * Reads the rows of one of them.
   *
   * @return the version that was read
   */
  String read(Transaction transaction, RawRow.Sink sink) throws IOException;
}
