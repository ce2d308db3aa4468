package dev.tidemark.activities.index.object;

import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The primary key of an object as one text: its values in the key's order, each percent-encoded,
 * with {@code /} between them. Equal keys are equal texts, whatever they were written as.
 */
public final class ObjectKey {
  /** Bytes of the longest key: Lucene has no longer terms. */
  public static final int LONGEST = 32_766;

  private ObjectKey() {}

  /**
   * The text of a key.
   *
   * @param values those of the primary key, by property
   * @throws IllegalArgumentException if one is missing or null, naming it
   */
  public static String of(ObjectType type, Map<String, ? extends @Nullable Object> values) {
    List<String> parts = new ArrayList<>();
    for (String property : type.primaryKey()) {
      Object value = values.get(property);
      if (value == null) {
        throw new IllegalArgumentException(
            "property '%s' is null; the primary key of '%s' must not be"
                .formatted(property, type.name()));
      }
      String text =
          value instanceof BigDecimal decimal
              ? decimal.stripTrailingZeros().toPlainString()
              : value.toString();
      parts.add(URLEncoder.encode(text, StandardCharsets.UTF_8));
    }
    return String.join("/", parts);
  }

  /**
   * The values of a key, by property.
   *
   * @throws IllegalArgumentException if the text is not a key of the type
   */
  public static Map<String, Object> parse(ObjectType type, String key) {
    String[] parts = key.split("/", -1);
    if (parts.length != type.primaryKey().size()) {
      throw new IllegalArgumentException(
          "'%s' is not a key of '%s': it must have a value for each of %s, with / between them"
              .formatted(key, type.name(), type.primaryKey()));
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < parts.length; i++) {
      Property property = type.properties().get(type.indexOf(type.primaryKey().get(i)));
      values.put(
          property.name(),
          Values.fromText(property, URLDecoder.decode(parts[i], StandardCharsets.UTF_8)));
    }
    return values;
  }

  /** Whether a text is what {@link #of} makes of some key of the type, and not too long for one. */
  public static boolean isCanonical(ObjectType type, String key) {
    try {
      return key.length() <= LONGEST && key.equals(canonical(type, key));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * The one text of a key that may be written in another way, as {@code 042} for {@code 42}.
   *
   * @throws IllegalArgumentException if the text is not a key of the type
   */
  public static String canonical(ObjectType type, String key) {
    return of(type, parse(type, key));
  }
}
