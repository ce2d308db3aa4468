package dev.tidemark.activities.export.row;

import dev.tidemark.workflows.export.Column;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Rows by {@code copy ... to stdout (format binary)}: the driver hands over each row as it came,
 * and its values are read from there without a text or an object between. Never more than one row
 * is in memory.
 */
public final class CopyRows implements RowSource {
  private static final byte[] SIGNATURE =
      "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);

  private static final int FLAGS_BYTES = 4;
  private static final String CANCELLED = "57014";
  private static final int END = -1;
  private static final int NULL = -1;

  private final PGConnection connection;
  private final CopyOut copy;
  private final Wire[] types;
  private final Row row;

  /** What came last, from {@link #at} on not yet read: a row, or, who knows, a part of one. */
  private byte[] received = {};

  private int at;
  private boolean hasBegun;

  private CopyRows(PGConnection connection, CopyOut copy, Wire[] types, Row row) {
    this.connection = connection;
    this.copy = copy;
    this.types = types;
    this.row = row;
  }

  /**
   * Starts the query.
   *
   * @param query without parameters, and without a semicolon
   * @param types of its columns, as the driver names them
   */
  public static CopyRows start(
      PGConnection connection, String query, List<Column> columns, List<String> types)
      throws SQLException {
    Wire[] wire = new Wire[types.size()];
    for (int i = 0; i < wire.length; i++) {
      wire[i] = Wire.of(types.get(i));
    }
    // The query may end in a comment: the parenthesis has a line of its own.
    CopyOut copy =
        connection.getCopyAPI().copyOut("copy (\n" + query + "\n) to stdout (format binary)");
    return new CopyRows(connection, copy, wire, new Row(columns));
  }

  @Override
  public @Nullable Row next() throws SQLException, Misfit {
    if (!hasBegun) {
      hasBegun = true;
      readHeader();
    }
    int counted = take(Short.BYTES);
    int values = BigEndian.shortAt(received, counted);
    if (values == END) {
      end();
      return null;
    }
    if (values != types.length) {
      throw new SQLException("a row has " + values + " values, and " + types.length + " columns");
    }
    try {
      readValues();
    } catch (Misfit misfit) {
      throw misfit.in(row.shown(0));
    }
    return row;
  }

  private void readValues() throws SQLException, Misfit {
    long bytes = 0;
    for (int i = 0; i < types.length; i++) {
      int size = takeInt();
      if (size == NULL) {
        row.setNull(i);
        continue;
      }
      bytes += size;
      Fit.size(i, size, bytes);
      int from = take(size);
      types[i].read(row, i, received, from, size);
    }
  }

  private void readHeader() throws SQLException {
    int begin = take(SIGNATURE.length);
    if (!Arrays.equals(received, begin, begin + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
      throw new SQLException("the database did not answer in PostgreSQL's binary format");
    }
    take(FLAGS_BYTES);
    take(takeInt());
  }

  private int takeInt() throws SQLException {
    int from = take(Integer.BYTES);
    return BigEndian.intAt(received, from);
  }

  /** The index of so many bytes in {@link #received}, which are read with this. */
  private int take(int bytes) throws SQLException {
    while (received.length - at < bytes) {
      byte[] more = copy.readFromCopy();
      if (more == null) {
        throw new SQLException("the database ended within a row");
      }
      received = at == received.length ? more : joined(more);
      at = 0;
    }
    int from = at;
    at += bytes;
    return from;
  }

  private byte[] joined(byte[] more) {
    int left = received.length - at;
    byte[] both = Arrays.copyOfRange(received, at, at + left + more.length);
    System.arraycopy(more, 0, both, left, more.length);
    return both;
  }

  /** Takes what is still under way, so that the connection is free again. */
  private void end() throws SQLException {
    while (copy.isActive()) {
      copy.readFromCopy();
    }
  }

  @Override
  public void close() throws SQLException {
    if (copy.isActive()) {
      try {
        connection.cancelQuery();
        end();
      } catch (SQLException e) {
        if (!CANCELLED.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
  }
}
