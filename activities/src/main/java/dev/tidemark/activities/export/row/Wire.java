package dev.tidemark.activities.export.row;

import dev.tidemark.workflows.export.ColumnType.Kind;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/** How PostgreSQL's types are written in its binary format, each by its {@code send} function. */
enum Wire {
  BOOL(1),
  INT2(2),
  INT4(4),
  INT8(8),
  FLOAT4(4),
  FLOAT8(8),
  NUMERIC(Wire.ANY),
  TEXT(Wire.ANY),
  UUID(16),
  DATE(4),
  TIMESTAMPTZ(8),
  JSONB(Wire.ANY),
  BYTEA(Wire.ANY);

  private static final int ANY = -1;
  private static final byte JSONB_VERSION = 1;

  /** PostgreSQL counts from 2000. */
  private static final int EPOCH_DAY = 10_957;

  private final int length;

  Wire(int length) {
    this.length = length;
  }

  /** The form of a type, by the name that the driver gives it. */
  static Wire of(String type) throws SQLException {
    return switch (type) {
      case "bool" -> BOOL;
      case "int2" -> INT2;
      case "int4", "serial" -> INT4;
      case "int8", "bigserial" -> INT8;
      case "float4" -> FLOAT4;
      case "float8" -> FLOAT8;
      case "numeric" -> NUMERIC;
      case "text", "varchar", "bpchar", "name", "citext", "json" -> TEXT;
      case "uuid" -> UUID;
      case "date" -> DATE;
      case "timestamptz" -> TIMESTAMPTZ;
      case "jsonb" -> JSONB;
      case "bytea" -> BYTEA;
      default -> throw new SQLException("cannot read " + type + " in the binary format");
    };
  }

  /**
   * Sets the column to the value whose bytes are given.
   *
   * @throws SQLException if they are none of this type
   */
  void read(Row row, int column, byte[] from, int at, int size) throws SQLException, Misfit {
    if (length != ANY && size != length) {
      throw alien(column, size);
    }
    switch (this) {
      case BOOL -> row.set(column, from[at]);
      case INT2 -> integer(row, column, BigEndian.shortAt(from, at));
      case INT4 -> integer(row, column, BigEndian.intAt(from, at));
      case INT8 -> integer(row, column, BigEndian.longAt(from, at));
      case FLOAT4 -> row.set(column, (double) Float.intBitsToFloat(BigEndian.intAt(from, at)));
      case FLOAT8 -> row.set(column, Double.longBitsToDouble(BigEndian.longAt(from, at)));
      case NUMERIC -> WireNumeric.read(row, column, from, at, size);
      case TEXT, BYTEA -> row.set(column, from, at, size);
      case UUID -> uuid(row, column, from, at);
      case DATE -> date(row, column, BigEndian.intAt(from, at));
      case TIMESTAMPTZ -> time(row, column, BigEndian.longAt(from, at));
      case JSONB -> json(row, column, from, at, size);
    }
  }

  private SQLException alien(int column, int size) {
    return new SQLException(
        "column " + (column + 1) + " has a value of " + size + " bytes, which is no " + this);
  }

  private static void integer(Row row, int column, long value) throws Misfit {
    if (row.type(column).kind() == Kind.DECIMAL) {
      Fit.decimal(row, column, BigDecimal.valueOf(value));
    } else {
      row.set(column, value);
    }
  }

  private static void uuid(Row row, int column, byte[] from, int at) {
    String text =
        new java.util.UUID(BigEndian.longAt(from, at), BigEndian.longAt(from, at + 8)).toString();
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    row.set(column, ascii, 0, ascii.length);
  }

  private static void date(Row row, int column, int day) throws Misfit {
    if (day == Integer.MAX_VALUE || day == Integer.MIN_VALUE) {
      throw Fit.infinite(column, day > 0);
    }
    Fit.day(row, column, (long) day + EPOCH_DAY);
  }

  private static void time(Row row, int column, long micros) throws Misfit {
    if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
      throw Fit.infinite(column, micros > 0);
    }
    Fit.micros(row, column, Math.addExact(micros, EPOCH_DAY * Fit.MICROS_PER_DAY));
  }

  private void json(Row row, int column, byte[] from, int at, int size) throws SQLException {
    if (size < 1 || from[at] != JSONB_VERSION) {
      throw alien(column, size);
    }
    row.set(column, from, at + 1, size - 1);
  }
}
