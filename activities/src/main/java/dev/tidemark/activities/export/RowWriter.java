package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.Dataset;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Writes one file. The same rows are the same bytes. Closing it makes the file whole. */
interface RowWriter extends Closeable {

  /** Adds a row; nothing of it is kept. */
  void write(Row row) throws IOException;

  /** How large the file is so far, as near as can be known. */
  long bytes() throws IOException;

  /** A new file. */
  static RowWriter open(Path file, Dataset dataset) throws IOException {
    return switch (dataset.format()) {
      case CSV -> new CsvWriter(file, dataset.columns());
      case NDJSON -> new NdjsonWriter(file, dataset.columns());
      case PARQUET -> new ParquetFile(file, dataset.columns());
    };
  }
}
