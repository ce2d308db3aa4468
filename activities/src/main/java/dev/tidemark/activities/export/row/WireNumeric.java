package dev.tidemark.activities.export.row;

import dev.tidemark.workflows.export.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.SQLException;

/**
 * PostgreSQL's {@code numeric} in its binary format: how many digits, the power of 10,000 of the
 * first one, the sign, and the places that are shown after the point; then the digits, each from 0
 * to 9,999.
 */
final class WireNumeric {
  private static final int HEADER = 8;
  private static final int BASE_DIGITS = 4;
  private static final BigInteger BASE = BigInteger.valueOf(10_000);

  private static final int POSITIVE = 0x0000;
  private static final int NEGATIVE = 0x4000;
  private static final int NAN = 0xC000;
  private static final int INFINITY = 0xD000;
  private static final int MINUS_INFINITY = 0xF000;

  /** What {@link #small} answers for what it cannot say. */
  private static final long NOT_SMALL = -1;

  private WireNumeric() {}

  static void read(Row row, int column, byte[] from, int at, int size) throws SQLException, Misfit {
    int digits = size < HEADER ? -1 : BigEndian.shortAt(from, at);
    if (digits < 0 || size != HEADER + 2 * digits) {
      throw new SQLException("column " + (column + 1) + " has bytes that are no numeric");
    }
    int sign = Short.toUnsignedInt(BigEndian.shortAt(from, at + 4));
    if (sign != POSITIVE && sign != NEGATIVE) {
      throw Fit.noNumber(column, special(sign));
    }
    long small = small(row.type(column), from, at, digits);
    if (small != NOT_SMALL) {
      row.set(column, sign == NEGATIVE ? -small : small);
    } else {
      BigDecimal value = exact(from, at, digits);
      Fit.decimal(row, column, sign == NEGATIVE ? value.negate() : value);
    }
  }

  private static String special(int sign) throws SQLException {
    return switch (sign) {
      case NAN -> "NaN";
      case INFINITY -> "Infinity";
      case MINUS_INFINITY -> "-Infinity";
      default -> throw new SQLException("a numeric has the unknown sign " + sign);
    };
  }

  /** The digits without point and sign where they fit and are few, as they nearly always are. */
  private static long small(ColumnType type, byte[] from, int at, int digits) {
    if (type.precision() > Row.LONG_DIGITS) {
      return NOT_SMALL;
    }
    long value = 0;
    // The power of ten of the digit's last place, counted from the last place of the type.
    int power = BASE_DIGITS * BigEndian.shortAt(from, at + 2) + type.scale();
    for (int i = 0; i < digits; i++, power -= BASE_DIGITS) {
      int digit = BigEndian.shortAt(from, at + HEADER + 2 * i);
      if (power >= 0) {
        if (power > Row.LONG_DIGITS || digit >= Row.power(Row.LONG_DIGITS) / Row.power(power)) {
          return NOT_SMALL;
        }
        value += digit * Row.power(power);
      } else {
        long below = power > -BASE_DIGITS ? Row.power(-power) : Row.power(BASE_DIGITS);
        if (digit % below != 0) {
          return NOT_SMALL;
        }
        value += digit / below;
      }
    }
    return value < Row.power(type.precision()) ? value : NOT_SMALL;
  }

  private static BigDecimal exact(byte[] from, int at, int digits) {
    BigInteger value = BigInteger.ZERO;
    for (int i = 0; i < digits; i++) {
      int digit = BigEndian.shortAt(from, at + HEADER + 2 * i);
      value = value.multiply(BASE).add(BigInteger.valueOf(digit));
    }
    int weight = BigEndian.shortAt(from, at + 2);
    int shown = BigEndian.shortAt(from, at + 6);
    return new BigDecimal(value, BASE_DIGITS * (digits - 1 - weight))
        .setScale(shown, RoundingMode.UNNECESSARY);
  }
}
