package dev.tidemark.activities.index.source;

import blue.strategic.parquet.Hydrator;
import blue.strategic.parquet.ParquetReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** The rows of a Parquet file without nested columns. */
final class ParquetRows {
  /** How the library gives bytes that are no text. */
  private static final String BYTES = "0x";

  private ParquetRows() {}

  static void read(Path file, RawRow.Sink sink) throws IOException {
    MessageType schema = ParquetReader.readMetadata(file.toFile()).getFileMetaData().getSchema();
    Map<String, Integer> columns = new HashMap<>();
    for (Type field : schema.getFields()) {
      columns.put(field.getName(), columns.size());
    }
    Rows rows = new Rows(schema, columns);
    try (Stream<RawRow> stream =
        ParquetReader.streamContent(file.toFile(), rows, path -> columns.get(path[0]))) {
      for (Iterator<RawRow> each = stream.iterator(); each.hasNext(); ) {
        sink.row(each.next());
      }
    }
  }

  /** Puts the values of a row together. */
  private record Rows(MessageType schema, Map<String, Integer> columns)
      implements Hydrator<@Nullable Object[], RawRow, Integer> {
    @Override
    public @Nullable Object[] start() {
      return new Object[columns.size()];
    }

    @Override
    public @Nullable Object[] add(@Nullable Object[] row, Integer at, @Nullable Object value) {
      if (value != null) {
        row[at] = java(schema.getType(at), value);
      }
      return row;
    }

    @Override
    public RawRow finish(@Nullable Object[] row) {
      return new RawRow.OfColumns(columns, Arrays.asList(row));
    }

    private static Object java(Type column, Object value) {
      LogicalTypeAnnotation logical = column.getLogicalTypeAnnotation();
      if (logical == null && value instanceof String hex && hex.startsWith(BYTES)) {
        return HexFormat.of().parseHex(hex, BYTES.length(), hex.length());
      }
      if (!(value instanceof Number number)) {
        return value;
      }
      if (logical instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation) {
        return LocalDate.ofEpochDay(number.longValue());
      }
      if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation decimal) {
        return BigDecimal.valueOf(number.longValue(), decimal.getScale());
      }
      if (logical instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation time) {
        return Instant.EPOCH.plus(
            number.longValue(),
            switch (time.getUnit()) {
              case MILLIS -> ChronoUnit.MILLIS;
              case MICROS -> ChronoUnit.MICROS;
              case NANOS -> ChronoUnit.NANOS;
            });
      }
      return value;
    }
  }
}
