package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/** Parquet with ZSTD, statistics, and row groups that bound what is kept in memory. */
final class ParquetFile implements RowWriter {
  private static final long ROW_GROUP = 16L * 1024 * 1024;

  private final ParquetWriter<@Nullable Object[]> writer;

  ParquetFile(Path path, List<Column> columns) throws IOException {
    writer =
        new Builder(new LocalOutputFile(path), new ParquetRows(columns))
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withRowGroupSize(ROW_GROUP)
            .build();
  }

  @Override
  public void write(@Nullable Object[] row) throws IOException {
    writer.write(row);
  }

  @Override
  public long bytes() {
    return writer.getDataSize();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<@Nullable Object[], Builder> {
    private final ParquetRows rows;

    Builder(OutputFile file, ParquetRows rows) {
      super(file);
      this.rows = rows;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // It is abstract.
    protected WriteSupport<@Nullable Object[]> getWriteSupport(Configuration configuration) {
      return rows;
    }

    @Override
    protected WriteSupport<@Nullable Object[]> getWriteSupport(ParquetConfiguration configuration) {
      return rows;
    }
  }
}
