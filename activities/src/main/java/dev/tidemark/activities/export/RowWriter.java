package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Dataset;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes one file. The same rows are the same bytes. Closing it makes the file whole. */
interface RowWriter extends Closeable {

  /** Adds a row of what {@link RowReader} reads. */
  void write(@Nullable Object[] row) throws IOException;

  /** How large the file is so far, as near as can be known. */
  long bytes();

  /** A new file. */
  static RowWriter open(Path file, Dataset dataset) throws IOException {
    return switch (dataset.format()) {
      case CSV -> new CsvWriter(file, dataset.columns());
      case NDJSON -> new NdjsonWriter(file, dataset.columns());
      case PARQUET -> new ParquetFile(file, dataset.columns());
    };
  }
}
