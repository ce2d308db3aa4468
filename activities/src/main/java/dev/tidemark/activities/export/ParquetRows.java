package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/**
 * Rows as Parquet has them: the types that every warehouse reads alike. All columns are optional;
 * JSON is a text, which the load scripts parse (B28).
 */
final class ParquetRows extends WriteSupport<@Nullable Object[]> {
  /** Up to so many digits a decimal is a long. */
  private static final int LONG_DIGITS = 18;

  private static final int DECIMAL_BYTES = 16;

  private final List<Column> columns;
  private @Nullable RecordConsumer consumer;

  ParquetRows(List<Column> columns) {
    this.columns = columns;
  }

  @Override
  @SuppressWarnings("deprecation") // It is abstract.
  public WriteContext init(Configuration configuration) {
    return new WriteContext(schema(), Map.of());
  }

  @Override
  public WriteContext init(ParquetConfiguration configuration) {
    return new WriteContext(schema(), Map.of());
  }

  @Override
  public void prepareForWrite(RecordConsumer to) {
    consumer = to;
  }

  private MessageType schema() {
    Type[] fields = columns.stream().map(ParquetRows::field).toArray(Type[]::new);
    return new MessageType("export", fields);
  }

  private static Type field(Column column) {
    ColumnType type = column.type();
    return switch (type.kind()) {
      case BOOLEAN -> Types.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
      case INT -> Types.optional(PrimitiveTypeName.INT32).named(column.name());
      case BIGINT -> Types.optional(PrimitiveTypeName.INT64).named(column.name());
      case DOUBLE -> Types.optional(PrimitiveTypeName.DOUBLE).named(column.name());
      case DECIMAL -> decimal(column);
      case STRING, JSON ->
          Types.optional(PrimitiveTypeName.BINARY)
              .as(LogicalTypeAnnotation.stringType())
              .named(column.name());
      case DATE ->
          Types.optional(PrimitiveTypeName.INT32)
              .as(LogicalTypeAnnotation.dateType())
              .named(column.name());
      case TIMESTAMP ->
          Types.optional(PrimitiveTypeName.INT64)
              .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS))
              .named(column.name());
      case BYTES -> Types.optional(PrimitiveTypeName.BINARY).named(column.name());
    };
  }

  private static Type decimal(Column column) {
    ColumnType type = column.type();
    LogicalTypeAnnotation annotation =
        LogicalTypeAnnotation.decimalType(type.scale(), type.precision());
    return type.precision() <= LONG_DIGITS
        ? Types.optional(PrimitiveTypeName.INT64).as(annotation).named(column.name())
        : Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
            .length(DECIMAL_BYTES)
            .as(annotation)
            .named(column.name());
  }

  @Override
  public void write(@Nullable Object[] row) {
    RecordConsumer to = consumer;
    if (to == null) {
      throw new IllegalStateException("not prepared");
    }
    to.startMessage();
    for (int i = 0; i < row.length; i++) {
      Object value = row[i];
      if (value != null) {
        to.startField(columns.get(i).name(), i);
        add(to, value, columns.get(i).type());
        to.endField(columns.get(i).name(), i);
      }
    }
    to.endMessage();
  }

  private static void add(RecordConsumer to, Object value, ColumnType type) {
    switch (type.kind()) {
      case BOOLEAN -> to.addBoolean((Boolean) value);
      case INT -> to.addInteger((Integer) value);
      case BIGINT -> to.addLong((Long) value);
      case DOUBLE -> to.addDouble((Double) value);
      case DECIMAL -> addDecimal(to, ((BigDecimal) value).unscaledValue(), type);
      case STRING, JSON -> to.addBinary(Binary.fromString((String) value));
      case DATE -> to.addInteger(Math.toIntExact(((LocalDate) value).toEpochDay()));
      case TIMESTAMP -> to.addLong(micros((Instant) value));
      case BYTES -> to.addBinary(Binary.fromConstantByteArray((byte[]) value));
    }
  }

  private static void addDecimal(RecordConsumer to, BigInteger unscaled, ColumnType type) {
    if (type.precision() <= LONG_DIGITS) {
      to.addLong(unscaled.longValueExact());
      return;
    }
    byte[] digits = unscaled.toByteArray();
    byte[] padded = new byte[DECIMAL_BYTES];
    Arrays.fill(padded, (byte) (unscaled.signum() < 0 ? -1 : 0));
    System.arraycopy(digits, 0, padded, DECIMAL_BYTES - digits.length, digits.length);
    to.addBinary(Binary.fromConstantByteArray(padded));
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }
}
