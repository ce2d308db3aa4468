package dev.tidemark.activities.export;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.Column;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A JSON object a line. What JSON's numbers cannot say is a text: NaN and the infinities, and
 * decimals, which most readers would bend into binary fractions. A JSON column is a value (B28).
 */
final class NdjsonWriter implements RowWriter {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  /** How a byte is written inside of a text where not as it is; null where it is. */
  private static final byte[][] ESCAPES = escapes();

  private final TextFile file;

  /** What is before the value of each column. */
  private final byte[][] names;

  NdjsonWriter(Path path, List<Column> columns) throws IOException {
    file = new TextFile(path);
    names = new byte[columns.size()][];
    for (int i = 0; i < names.length; i++) {
      String name = (i == 0 ? "{\"" : ",\"") + columns.get(i).name() + "\":";
      names[i] = name.getBytes(StandardCharsets.UTF_8);
    }
  }

  private static byte[][] escapes() {
    byte[][] escapes = new byte[256][];
    JsonStringEncoder encoder = JsonStringEncoder.getInstance();
    for (char c = 0; c < 128; c++) {
      byte[] escaped = encoder.quoteAsUTF8(String.valueOf(c));
      if (escaped.length > 1) {
        escapes[c] = escaped;
      }
    }
    return escapes;
  }

  @Override
  public void write(Row row) throws IOException {
    for (int i = 0; i < row.size(); i++) {
      file.put(names[i]);
      if (row.isNull(i)) {
        file.put(NULL);
      } else {
        put(row, i);
      }
    }
    file.put('}');
    file.put('\n');
  }

  private void put(Row row, int column) throws IOException {
    switch (row.type(column).kind()) {
      case BOOLEAN, INT, BIGINT -> file.put(row, column);
      case DOUBLE -> {
        if (Double.isFinite(row.real(column))) {
          file.put(row, column);
        } else {
          quoted(row, column);
        }
      }
      case DECIMAL, DATE, TIMESTAMP, BYTES -> quoted(row, column);
      case STRING -> text(row.bytes(column), row.offset(column), row.length(column));
      case JSON -> json(row.bytes(column), row.offset(column), row.length(column));
    }
  }

  private void quoted(Row row, int column) throws IOException {
    file.put('"');
    file.put(row, column);
    file.put('"');
  }

  private void text(byte[] bytes, int from, int length) throws IOException {
    int to = from + length;
    int written = from;
    file.put('"');
    for (int i = from; i < to; i++) {
      byte[] escape = ESCAPES[bytes[i] & 0xFF];
      if (escape != null) {
        file.put(bytes, written, i - written);
        file.put(escape);
        written = i + 1;
      }
    }
    file.put(bytes, written, to - written);
    file.put('"');
  }

  /** Line ends are between its tokens only: inside a text of it they are written as escapes. */
  private void json(byte[] bytes, int from, int length) throws IOException {
    int to = from + length;
    int written = from;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n' || bytes[i] == '\r') {
        file.put(bytes, written, i - written);
        file.put(' ');
        written = i + 1;
      }
    }
    file.put(bytes, written, to - written);
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
