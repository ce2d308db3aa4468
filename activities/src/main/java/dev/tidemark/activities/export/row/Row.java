package dev.tidemark.activities.export.row;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values of one row, in the form that its writers need, so that no object is made for a value.
 * A source fills the same row again and again: what is read from it holds until the next one.
 */
public final class Row {
  /** The most digits that a decimal may have to be a {@link #number}. */
  public static final int LONG_DIGITS = 18;

  private static final long[] POWERS = powers();
  private static final int SHOWN = 1_000;
  private static final byte[] EMPTY = {};

  private final List<Column> columns;
  private final boolean[] nulls;
  private final long[] numbers;
  private final @Nullable BigInteger[] large;
  private final byte[][] bytes;
  private final int[] offsets;
  private final int[] lengths;

  public Row(List<Column> columns) {
    int size = columns.size();
    this.columns = List.copyOf(columns);
    this.nulls = new boolean[size];
    this.numbers = new long[size];
    this.large = new BigInteger[size];
    this.bytes = new byte[size][];
    this.offsets = new int[size];
    this.lengths = new int[size];
    Arrays.fill(bytes, EMPTY);
  }

  private static long[] powers() {
    long[] powers = new long[LONG_DIGITS + 1];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = 10 * powers[i - 1];
    }
    return powers;
  }

  /** Ten to that power, which is 0 to {@link #LONG_DIGITS}. */
  public static long power(int exponent) {
    return POWERS[exponent];
  }

  public int size() {
    return nulls.length;
  }

  public ColumnType type(int column) {
    return columns.get(column).type();
  }

  public boolean isNull(int column) {
    return nulls[column];
  }

  /**
   * Of a boolean 0 or 1; of a date the days, of a timestamp the microseconds since 1970; of a
   * decimal of at most {@link #LONG_DIGITS} digits its digits without the point; else the integer.
   */
  public long number(int column) {
    return numbers[column];
  }

  public double real(int column) {
    return Double.longBitsToDouble(numbers[column]);
  }

  /** The digits, without the point, of a decimal of more than {@link #LONG_DIGITS} digits. */
  public BigInteger large(int column) {
    BigInteger digits = large[column];
    if (digits == null) {
      throw new IllegalStateException(columns.get(column) + " is no large decimal, or null");
    }
    return digits;
  }

  /** What a text, JSON (both in UTF-8) or bytes are a slice of; it is not to be written to. */
  public byte[] bytes(int column) {
    return bytes[column];
  }

  /** Where in {@link #bytes} the value begins. */
  public int offset(int column) {
    return offsets[column];
  }

  /** How many of {@link #bytes} are the value's. */
  public int length(int column) {
    return lengths[column];
  }

  /** The value for people; a long text is cut; null of null. */
  @Nullable String shown(int column) {
    if (isNull(column)) {
      return null;
    }
    ColumnType type = type(column);
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.toString(number(column) != 0);
      case INT, BIGINT -> Long.toString(number(column));
      case DOUBLE -> Double.toString(real(column));
      case DECIMAL -> decimal(column).toPlainString();
      case DATE -> LocalDate.ofEpochDay(number(column)).toString();
      case TIMESTAMP -> Instant.EPOCH.plus(number(column), ChronoUnit.MICROS).toString();
      case STRING, JSON ->
          new String(bytes(column), offset(column), shownBytes(column), StandardCharsets.UTF_8);
      case BYTES ->
          "\\x"
              + HexFormat.of()
                  .formatHex(bytes(column), offset(column), offset(column) + shownBytes(column));
    };
  }

  private int shownBytes(int column) {
    return Math.min(length(column), SHOWN);
  }

  private BigDecimal decimal(int column) {
    ColumnType type = type(column);
    return type.precision() <= LONG_DIGITS
        ? BigDecimal.valueOf(number(column), type.scale())
        : new BigDecimal(large(column), type.scale());
  }

  void setNull(int column) {
    nulls[column] = true;
  }

  void set(int column, long number) {
    nulls[column] = false;
    numbers[column] = number;
  }

  void set(int column, double real) {
    // One NaN: the bits of others could differ from file to file.
    set(column, Double.doubleToLongBits(real));
  }

  void set(int column, BigInteger digits) {
    nulls[column] = false;
    large[column] = digits;
  }

  void set(int column, byte[] buffer, int offset, int length) {
    nulls[column] = false;
    bytes[column] = buffer;
    offsets[column] = offset;
    lengths[column] = length;
  }
}
