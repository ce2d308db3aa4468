package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Row;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;

/** Rows that are kept in memory, by columns, until there are enough of them for a row group. */
final class ParquetRowGroup implements Closeable {
  /** No column repeats, and all are optional. */
  private static final int REPETITION = 0;

  /** Bytes of a value from which on it is not worth to compare or to look it up. */
  private static final int LARGE = 64 * 1024;

  private static final int NULL = 0;
  private static final int PRESENT = 1;

  private final ColumnChunkPageWriteStore pages;
  private final ColumnWriteStore store;
  private final ColumnWriter[] columns;
  private final boolean[] large;
  private long rows;

  /**
   * Begins a row group.
   *
   * @param large is set for each column that has a large value in here
   */
  ParquetRowGroup(
      MessageType schema,
      ParquetProperties properties,
      BytesInputCompressor compressor,
      boolean[] large) {
    this.large = large;
    pages =
        ColumnChunkPageWriteStore.builder()
            .withCompressorProvider(column -> compressor)
            .withSchema(schema)
            .withAllocator(properties.getAllocator())
            .build();
    store = properties.newColumnWriteStore(schema, pages, pages);
    columns = schema.getColumns().stream().map(store::getColumnWriter).toArray(ColumnWriter[]::new);
  }

  /** Adds a row; how many bytes it has about, before they are encoded. */
  int write(Row row) {
    int bytes = 0;
    for (int i = 0; i < columns.length; i++) {
      if (row.isNull(i)) {
        columns[i].writeNull(REPETITION, NULL);
        bytes++;
      } else {
        bytes += write(row, i, columns[i]);
      }
    }
    store.endRecord();
    rows++;
    return bytes;
  }

  private int write(Row row, int column, ColumnWriter to) {
    switch (row.type(column).kind()) {
      case BOOLEAN -> to.write(row.number(column) != 0, REPETITION, PRESENT);
      case INT, DATE -> to.write(Math.toIntExact(row.number(column)), REPETITION, PRESENT);
      case BIGINT, TIMESTAMP -> to.write(row.number(column), REPETITION, PRESENT);
      case DOUBLE -> to.write(row.real(column), REPETITION, PRESENT);
      case DECIMAL -> {
        if (row.type(column).precision() <= Row.LONG_DIGITS) {
          to.write(row.number(column), REPETITION, PRESENT);
        } else {
          to.write(padded(row.large(column)), REPETITION, PRESENT);
        }
      }
      case STRING, JSON, BYTES -> {
        to.write(slice(row, column), REPETITION, PRESENT);
        return row.length(column) + Integer.BYTES;
      }
    }
    return Long.BYTES;
  }

  /** Copied where it is kept, as else it keeps the whole row, but where it is most of its row. */
  private Binary slice(Row row, int column) {
    byte[] bytes = row.bytes(column);
    int offset = row.offset(column);
    int length = row.length(column);
    if (length < LARGE) {
      return Binary.fromReusedByteArray(bytes, offset, length);
    }
    large[column] = true;
    return Binary.fromConstantByteArray(bytes, offset, length);
  }

  private static Binary padded(BigInteger digits) {
    byte[] bytes = digits.toByteArray();
    byte[] padded = new byte[ParquetSchema.DECIMAL_BYTES];
    int from = padded.length - bytes.length;
    Arrays.fill(padded, 0, from, (byte) (digits.signum() < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, padded, from, bytes.length);
    return Binary.fromConstantByteArray(padded);
  }

  /** What is kept in memory, most of it compressed already. */
  long bytes() {
    return store.getBufferedSize();
  }

  /** Writes it to the file, if there is something to write. */
  void endIn(ParquetFileWriter file) throws IOException {
    if (rows == 0) {
      return;
    }
    file.startBlock(rows);
    store.flush();
    pages.flushToFileWriter(file);
    file.endBlock();
  }

  @Override
  public void close() {
    store.close();
    pages.close();
  }
}
