package dev.tidemark.activities.placeholder;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text with placeholders in braces, such as {@code input/{partition}.csv} (contracts, section 2).
 * Braces around anything that is not a placeholder's name are text: JSON in an argument needs no
 * escaping.
 */
public final class Template {
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "\\{(?<name>[a-z]+(?:\\.(?<key>[A-Za-z0-9_-]+))?)(?::(?<pattern>[^{}\"]+))?\\}");

  private final String text;
  private final List<Part> parts;

  private Template(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /** Splits the text; does not judge the names, since each use knows its own. */
  public static Template parse(String text) {
    List<Part> parts = new ArrayList<>();
    Matcher matcher = PLACEHOLDER.matcher(text);
    int from = 0;
    while (matcher.find()) {
      if (matcher.start() > from) {
        parts.add(new Literal(text.substring(from, matcher.start())));
      }
      parts.add(
          new Placeholder(matcher.group("name"), matcher.group("key"), matcher.group("pattern")));
      from = matcher.end();
    }
    if (from < text.length()) {
      parts.add(new Literal(text.substring(from)));
    }
    return new Template(text, parts);
  }

  /** The parts in order; together they are the text. */
  public List<Part> parts() {
    return parts;
  }

  /**
   * The text with each placeholder replaced by its value.
   *
   * @throws IllegalArgumentException for a placeholder that {@code values} does not know
   */
  public String fill(Values values) {
    StringBuilder filled = new StringBuilder();
    for (Part part : parts) {
      filled.append(
          part instanceof Placeholder placeholder
              ? value(placeholder, values)
              : ((Literal) part).text());
    }
    return filled.toString();
  }

  private String value(Placeholder placeholder, Values values) {
    String value = values.of(placeholder);
    if (value == null) {
      throw new IllegalArgumentException(
          "'" + text + "' has the placeholder " + placeholder + ", which has no value here");
    }
    return value;
  }

  @Override
  public String toString() {
    return text;
  }

  /** What a template is made of. */
  public sealed interface Part {}

  /** Text as it is. */
  public record Literal(String text) implements Part {}

  /**
   * A name in braces.
   *
   * @param name the whole name: {@code partition}, {@code slice.unit}
   * @param key what follows the dot, or null
   * @param pattern what follows the colon, or null
   */
  public record Placeholder(String name, @Nullable String key, @Nullable String pattern)
      implements Part {
    @Override
    public String toString() {
      return "{" + name + (pattern == null ? "" : ":" + pattern) + "}";
    }
  }

  /** Gives placeholders their values. */
  @FunctionalInterface
  public interface Values {
    /** The value, or null if there is none of that name. */
    @Nullable String of(Placeholder placeholder);

    /** These values, and where there is none, the others'. */
    default Values or(Values others) {
      return placeholder -> {
        String value = of(placeholder);
        return value != null ? value : others.of(placeholder);
      };
    }
  }
}
