package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.PartSize;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of one partition, cut by rows or by bytes. Their names are in the order of the rows; no
 * rows are no files.
 */
final class Parts implements Closeable {
  private final Path folder;
  private final Dataset dataset;
  private final PartSize size;
  private final Map<String, Long> rows = new LinkedHashMap<>();
  private @Nullable RowWriter writer;
  private long rowsInPart;

  Parts(Path folder, Dataset dataset, PartSize size) {
    this.folder = folder;
    this.dataset = dataset;
    this.size = size;
  }

  void write(Row row) throws IOException {
    RowWriter open = writer;
    if (open == null) {
      open = RowWriter.open(folder.resolve(name()), dataset);
      writer = open;
    }
    open.write(row);
    rowsInPart++;
    boolean full =
        size instanceof PartSize.Bytes bytes
            ? open.bytes() >= bytes.bytes()
            : rowsInPart >= ((PartSize.Rows) size).rows();
    if (full) {
      endPart(open);
    }
  }

  private String name() {
    String extension = dataset.format().name().toLowerCase(Locale.ROOT);
    return String.format("part-%05d.%s", rows.size(), extension);
  }

  private void endPart(RowWriter open) throws IOException {
    writer = null;
    open.close();
    rows.put(name(), rowsInPart);
    rowsInPart = 0;
  }

  /** Makes the last file whole; the rows of each file, by its name. */
  Map<String, Long> finish() throws IOException {
    if (writer != null) {
      endPart(writer);
    }
    return Collections.unmodifiableMap(rows);
  }

  /** Leaves the last file as it is where it was not finished: it is not published. */
  @Override
  public void close() throws IOException {
    if (writer != null) {
      writer.close();
    }
  }
}
