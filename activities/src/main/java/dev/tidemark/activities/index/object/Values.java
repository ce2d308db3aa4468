package dev.tidemark.activities.index.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Property;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The values of properties in Java, in JSON and as text: Boolean, Long (int and bigint), Double,
 * BigDecimal of the type's scale, String (string and json), LocalDate, Instant in microseconds,
 * byte[] (base64 in JSON and text). A value that its type cannot hold is refused, never bent.
 */
public final class Values {
  private static final Instant FIRST_YEAR = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant AFTER_LAST_YEAR = Instant.parse("+10000-01-01T00:00:00Z");

  private static final int LONG_DIGITS = 19;

  private Values() {}

  /**
   * A value of a property out of JSON.
   *
   * @throws IllegalArgumentException naming the property, the value and its type
   */
  public static @Nullable Object fromJson(Property property, JsonNode json) {
    if (json.isNull() || json.isMissingNode()) {
      return null;
    }
    ColumnType.Kind kind = property.type().kind();
    boolean fits =
        switch (kind) {
          case BOOLEAN -> json.isBoolean();
          case INT, BIGINT -> json.isIntegralNumber() || json.isTextual();
          case DOUBLE, DECIMAL -> json.isNumber() || json.isTextual();
          case STRING, DATE, TIMESTAMP, BYTES -> json.isTextual();
          case JSON -> true;
        };
    if (!fits) {
      throw misfit(property, json.toString(), null);
    }
    if (kind == ColumnType.Kind.JSON) {
      return json.toString();
    }
    return fromText(property, json.asText());
  }

  /**
   * A value of a property out of a text, as CSV has it.
   *
   * @throws IllegalArgumentException naming the property, the value and its type
   */
  public static Object fromText(Property property, String text) {
    ColumnType type = property.type();
    try {
      return switch (type.kind()) {
        case BOOLEAN -> bool(text);
        case INT -> (long) Integer.parseInt(text);
        case BIGINT -> Long.parseLong(text);
        case DOUBLE -> Double.parseDouble(text);
        case DECIMAL -> decimal(type, new BigDecimal(text));
        case STRING, JSON -> text;
        case DATE -> LocalDate.parse(text);
        case TIMESTAMP -> micros(OffsetDateTime.parse(text).toInstant());
        case BYTES -> Base64.getDecoder().decode(text);
      };
    } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
      throw misfit(property, text, e);
    }
  }

  /**
   * A value of a property out of what a driver or a file format gives for it; a text is read as
   * one.
   *
   * @throws IllegalArgumentException naming the property, the value and its type
   */
  public static @Nullable Object fromJava(Property property, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    boolean isItself =
        switch (property.type().kind()) {
          case BOOLEAN -> value instanceof Boolean;
          case DOUBLE -> value instanceof Double;
          case DATE -> value instanceof LocalDate;
          case BYTES -> value instanceof byte[];
          case INT, BIGINT, DECIMAL, STRING, TIMESTAMP, JSON -> false;
        };
    if (isItself) {
      return value;
    }
    boolean isBinary = value instanceof Float || value instanceof Double || value instanceof byte[];
    boolean isDouble = property.type().kind() == ColumnType.Kind.DOUBLE;
    if (isBinary && !(isDouble && value instanceof Float)) {
      throw misfit(property, value.toString(), null);
    }
    return fromText(
        property,
        value instanceof BigDecimal decimal ? plain(property, decimal) : value.toString());
  }

  /** A whole number has no point, however many zeros would be behind it. */
  private static String plain(Property property, BigDecimal value) {
    boolean isWhole =
        switch (property.type().kind()) {
          case INT, BIGINT ->
              value.stripTrailingZeros().scale() <= 0
                  && (long) value.precision() - value.scale() <= LONG_DIGITS;
          default -> false;
        };
    boolean isText = property.type().kind() == ColumnType.Kind.STRING;
    return isWhole || isText ? value.stripTrailingZeros().toPlainString() : value.toString();
  }

  /** The same in JSON, as {@link #fromJson} reads it. */
  public static JsonNode toJson(Property property, @Nullable Object value, JsonReading reading) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    if (value == null) {
      return json.nullNode();
    }
    return switch (property.type().kind()) {
      case BOOLEAN -> json.booleanNode((Boolean) value);
      case INT, BIGINT -> json.numberNode((Long) value);
      case DOUBLE ->
          Double.isFinite((Double) value)
              ? json.numberNode((Double) value)
              : json.textNode(value.toString());
      case DECIMAL -> json.textNode(((BigDecimal) value).toPlainString());
      case STRING, DATE, TIMESTAMP -> json.textNode(value.toString());
      case JSON -> reading.read((String) value);
      case BYTES -> json.textNode(Base64.getEncoder().encodeToString((byte[]) value));
    };
  }

  /** Reads a JSON text that was checked before. */
  @FunctionalInterface
  public interface JsonReading {
    JsonNode read(String text);
  }

  private static Boolean bool(String text) {
    return switch (text) {
      case "true", "t" -> true;
      case "false", "f" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static BigDecimal decimal(ColumnType type, BigDecimal value) {
    BigDecimal shortest = value.stripTrailingZeros();
    long whole = (long) shortest.precision() - shortest.scale();
    boolean fits = whole <= type.precision() - type.scale() && shortest.scale() <= type.scale();
    // Before its digits are written out: 1e999999999 has a billion.
    if (!fits && shortest.signum() != 0) {
      throw new ArithmeticException("too many digits");
    }
    return shortest.setScale(type.scale(), RoundingMode.UNNECESSARY);
  }

  private static Instant micros(Instant instant) {
    if (!instant.truncatedTo(ChronoUnit.MICROS).equals(instant)) {
      throw new ArithmeticException("finer than a microsecond");
    }
    if (!isInYears(instant)) {
      throw new ArithmeticException("not in the years 1 to 9999");
    }
    return instant;
  }

  /** What every part of this, and what reads it, can hold: the years 1 to 9999. */
  static boolean isInYears(Instant instant) {
    return !instant.isBefore(FIRST_YEAR) && instant.isBefore(AFTER_LAST_YEAR);
  }

  private static IllegalArgumentException misfit(
      Property property, String value, @Nullable Exception cause) {
    String shown = value.length() > 200 ? value.substring(0, 200) + "..." : value;
    return new IllegalArgumentException(
        "property '%s' is %s: '%s' is no such value"
            .formatted(property.name(), property.type(), shown),
        cause);
  }
}
