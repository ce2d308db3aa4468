package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * CSV as RFC 4180 has it, with a header line and line feeds between the rows. An empty text is
 * {@code ""}, a null is nothing: they stay two things (contracts, section 5).
 */
final class CsvWriter implements RowWriter {
  private static final byte[] EMPTY = {'"', '"'};

  /**
   * Bytes with which a text is quoted. Also a backslash: PostgreSQL took a line with {@code \.} for
   * the end of the data.
   */
  private static final boolean[] NEEDS_QUOTES = needsQuotes();

  private final TextFile file;

  CsvWriter(Path path, List<Column> columns) throws IOException {
    file = new TextFile(path);
    String header = columns.stream().map(Column::name).collect(Collectors.joining(",", "", "\n"));
    file.put(header.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean[] needsQuotes() {
    boolean[] needsQuotes = new boolean[256];
    for (char c = 0; c < ' '; c++) {
      needsQuotes[c] = true;
    }
    needsQuotes['"'] = true;
    needsQuotes[','] = true;
    needsQuotes['\\'] = true;
    return needsQuotes;
  }

  @Override
  public void write(Row row) throws IOException {
    for (int i = 0; i < row.size(); i++) {
      if (i > 0) {
        file.put(',');
      }
      if (!row.isNull(i)) {
        put(row, i);
      }
    }
    file.put('\n');
  }

  private void put(Row row, int column) throws IOException {
    Kind kind = row.type(column).kind();
    if (kind == Kind.STRING || kind == Kind.JSON) {
      text(row.bytes(column), row.offset(column), row.offset(column) + row.length(column));
    } else if (kind == Kind.BYTES && row.length(column) == 0) {
      file.put(EMPTY);
    } else {
      file.put(row, column);
    }
  }

  private void text(byte[] bytes, int from, int to) throws IOException {
    if (!needsQuotes(bytes, from, to)) {
      file.put(bytes, from, to - from);
      return;
    }
    file.put('"');
    int written = from;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '"') {
        // With the quote itself; it comes once more at the begin of what follows.
        file.put(bytes, written, i + 1 - written);
        written = i;
      }
    }
    file.put(bytes, written, to - written);
    file.put('"');
  }

  private static boolean needsQuotes(byte[] bytes, int from, int to) {
    if (from == to || bytes[from] == ' ' || bytes[to - 1] == ' ') {
      return true;
    }
    for (int i = from; i < to; i++) {
      if (NEEDS_QUOTES[bytes[i] & 0xFF]) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long bytes() {
    return file.bytes();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
