package dev.tidemark.activities.export;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object a line. What JSON's numbers cannot say is a text: NaN and the infinities, and
 * decimals, which most readers would bend into binary fractions. A JSON column is a value (B28).
 */
final class NdjsonWriter implements RowWriter {
  private final List<Column> columns;
  private final TextFile file;
  private final JsonStringEncoder encoder = JsonStringEncoder.getInstance();

  NdjsonWriter(Path path, List<Column> columns) throws IOException {
    this.columns = columns;
    this.file = new TextFile(path);
  }

  @Override
  public void write(@Nullable Object[] row) throws IOException {
    StringBuilder line = file.line().append('{');
    for (int i = 0; i < row.length; i++) {
      line.append(i == 0 ? "\"" : ",\"").append(columns.get(i).name()).append("\":");
      Object value = row[i];
      if (value == null) {
        line.append("null");
      } else {
        append(line, value, columns.get(i).type());
      }
    }
    line.append('}');
    file.endLine();
  }

  private void append(StringBuilder line, Object value, ColumnType type) {
    String text = TextFile.text(value, type);
    switch (type.kind()) {
      case BOOLEAN, INT, BIGINT -> line.append(text);
      // Between its tokens only: inside a text a line end is written as an escape.
      case JSON -> line.append(text.replace('\n', ' ').replace('\r', ' '));
      case DOUBLE -> {
        if (Double.isFinite((Double) value)) {
          line.append(text);
        } else {
          line.append('"').append(text).append('"');
        }
      }
      default -> {
        line.append('"');
        encoder.quoteAsString(text, line);
        line.append('"');
      }
    }
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
