package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CSV as RFC 4180 has it, with a header line and line feeds between the rows. An empty text is
 * {@code ""}, a null is nothing: they stay two things (contracts, section 5).
 */
final class CsvWriter implements RowWriter {
  private final List<Column> columns;
  private final TextFile file;

  CsvWriter(Path path, List<Column> columns) throws IOException {
    this.columns = columns;
    this.file = new TextFile(path);
    for (int i = 0; i < columns.size(); i++) {
      file.line().append(i == 0 ? "" : ",").append(columns.get(i).name());
    }
    file.endLine();
  }

  @Override
  public void write(@Nullable Object[] row) throws IOException {
    for (int i = 0; i < row.length; i++) {
      if (i > 0) {
        file.line().append(',');
      }
      Object value = row[i];
      if (value != null) {
        append(value, columns.get(i).type());
      }
    }
    file.endLine();
  }

  private void append(Object value, ColumnType type) {
    String text = TextFile.text(value, type);
    if (needsQuotes(text)) {
      file.line().append('"').append(text.replace("\"", "\"\"")).append('"');
    } else {
      file.line().append(text);
    }
  }

  /** Also around a backslash: PostgreSQL took a line with {@code \.} for the end of the data. */
  private static boolean needsQuotes(String text) {
    if (text.isEmpty() || text.charAt(0) == ' ' || text.charAt(text.length() - 1) == ' ') {
      return true;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == ',' || c == '\\' || c < ' ') {
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
