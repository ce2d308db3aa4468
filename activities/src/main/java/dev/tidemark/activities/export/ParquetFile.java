package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;

/**
 * Parquet with ZSTD, statistics, and row groups that bound what is kept in memory.
 *
 * <p>The columns are written one by one, below {@link ParquetWriter}: that one counts the rows
 * until it looks at the bytes again, at least a hundred, and a hundred rows may be gigabytes.
 */
final class ParquetFile implements RowWriter {
  private static final long ROW_GROUP = 16L * 1024 * 1024;

  /** After so many bytes more it is looked how many there are once encoded. */
  private static final long UNSEEN = 1024 * 1024;

  private final List<Column> columns;
  private final MessageType schema;
  private final boolean[] large;
  private final CodecFactory codecs =
      new CodecFactory(new PlainParquetConfiguration(), ParquetProperties.DEFAULT_PAGE_SIZE);
  private final ParquetFileWriter file;
  private ParquetRowGroup group;
  private long unseen;

  ParquetFile(Path path, List<Column> columns) throws IOException {
    this.columns = columns;
    schema = ParquetSchema.of(columns);
    large = new boolean[columns.size()];
    file =
        new ParquetFileWriter(
            new LocalOutputFile(path),
            schema,
            ParquetFileWriter.Mode.CREATE,
            ROW_GROUP,
            ParquetWriter.MAX_PADDING_SIZE_DEFAULT,
            null,
            properties());
    file.start();
    group = newGroup();
  }

  private ParquetRowGroup newGroup() {
    return new ParquetRowGroup(
        schema, properties(), codecs.getCompressor(CompressionCodecName.ZSTD), large);
  }

  /**
   * A column that had large values gets neither a dictionary nor statistics any more: its least and
   * its greatest value would stay in memory for each row group, and go into no file.
   */
  private ParquetProperties properties() {
    ParquetProperties.Builder properties = ParquetProperties.builder();
    for (int i = 0; i < large.length; i++) {
      if (large[i]) {
        String name = columns.get(i).name();
        properties.withDictionaryEncoding(name, false).withStatisticsEnabled(name, false);
      }
    }
    return properties.build();
  }

  @Override
  public void write(Row row) throws IOException {
    unseen += group.write(row);
    if (unseen >= UNSEEN) {
      unseen = 0;
      if (group.bytes() >= ROW_GROUP) {
        endGroup();
        group = newGroup();
      }
    }
  }

  private void endGroup() throws IOException {
    try (ParquetRowGroup ended = group) {
      ended.endIn(file);
    }
  }

  @Override
  public long bytes() throws IOException {
    return file.getPos() + group.bytes();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      endGroup();
      file.end(Map.of());
    } finally {
      codecs.release();
    }
  }
}
