package dev.tidemark.activities.export;

import dev.tidemark.activities.export.row.Row;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * The pinned columns as Parquet has them: the types that every warehouse reads alike. All columns
 * are optional; JSON is a text, which the load scripts parse (B28).
 */
final class ParquetSchema {
  /** Of a decimal that is no long. */
  static final int DECIMAL_BYTES = 16;

  private ParquetSchema() {}

  static MessageType of(List<Column> columns) {
    return new MessageType(
        "export", columns.stream().map(ParquetSchema::field).toArray(Type[]::new));
  }

  private static Type field(Column column) {
    return switch (column.type().kind()) {
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
    return type.precision() <= Row.LONG_DIGITS
        ? Types.optional(PrimitiveTypeName.INT64).as(annotation).named(column.name())
        : Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
            .length(DECIMAL_BYTES)
            .as(annotation)
            .named(column.name());
  }
}
