package dev.tidemark.activities.export.row;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The rows of a query, one after another. Memory holds one, or a bounded number of bytes more. */
public interface RowSource extends AutoCloseable {
  /**
   * The most bytes that the values of one row may have: what is larger belongs into a store of its
   * own, and a worker has a heap of 512 MB for all of its partitions.
   */
  int MAX_ROW_BYTES = 64 * 1024 * 1024;

  /**
   * The next row, the same object each time; null after the last one.
   *
   * @throws Misfit if a value is none that its column can hold
   */
  @Nullable Row next() throws SQLException, Misfit;

  /** Ends the query, also where there are more rows. */
  @Override
  void close() throws SQLException;
}
