package dev.tidemark.workflows.export;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a column (contracts, section 5): what a value of it may be in every format and every
 * warehouse (B29, B30, B39).
 *
 * @param kind the type without its measures
 * @param precision of a decimal: all of its digits; else 0
 * @param scale of a decimal: its digits after the point; else 0
 */
public record ColumnType(Kind kind, int precision, int scale) {
  /** More digits than this no warehouse keeps. */
  public static final int MAX_PRECISION = 38;

  private static final Pattern DECIMAL =
      Pattern.compile("decimal\\(\\s*(\\d{1,3})\\s*,\\s*(\\d{1,3})\\s*\\)");

  /** What the types are. */
  public enum Kind {
    BOOLEAN,
    /** 32 bits. */
    INT,
    /** 64 bits. */
    BIGINT,
    /** 64 bits, binary; NaN and the infinities too. */
    DOUBLE,
    /** Exact. */
    DECIMAL,
    STRING,
    /** A date of the calendar, without a zone: never a midnight (B29). Years 1 to 9999. */
    DATE,
    /** An instant in microseconds. Years 1 to 9999, in UTC. */
    TIMESTAMP,
    /** Any JSON value: what a customer adds of its own goes in here (B27). */
    JSON,
    BYTES;

    private String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ColumnType {
    boolean fits =
        kind == Kind.DECIMAL
            ? precision >= 1 && precision <= MAX_PRECISION && scale >= 0 && scale <= precision
            : precision == 0 && scale == 0;
    if (!fits) {
      throw new IllegalArgumentException(
          "must be decimal(p,s) with p from 1 to " + MAX_PRECISION + " and s from 0 to p");
    }
  }

  /** A type without measures. */
  public static ColumnType of(Kind kind) {
    return new ColumnType(kind, 0, 0);
  }

  /** An exact number of {@code precision} digits, {@code scale} of them after the point. */
  public static ColumnType decimal(int precision, int scale) {
    return new ColumnType(Kind.DECIMAL, precision, scale);
  }

  /**
   * The type that is written so.
   *
   * @throws IllegalArgumentException with the rule, which completes "'the text' ..."
   */
  @JsonCreator
  public static ColumnType parse(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      return decimal(Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
    }
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.DECIMAL && kind.code().equals(text))
        .findFirst()
        .map(ColumnType::of)
        .orElseThrow(
            () -> new IllegalArgumentException("is not one of " + String.join(", ", names())));
  }

  /** All that may be written, for messages. */
  public static List<String> names() {
    return Arrays.stream(Kind.values())
        .map(kind -> kind == Kind.DECIMAL ? "decimal(p,s)" : kind.code())
        .toList();
  }

  @Override
  @JsonValue
  public String toString() {
    return kind == Kind.DECIMAL ? "decimal(" + precision + "," + scale + ")" : kind.code();
  }
}
