package dev.tidemark.worker.yaml;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a text in a file must be. YAML's own guesses (dates, octal numbers, {@code no}) play no
 * part.
 *
 * @param expected completes "must be ...": {@code a duration such as 15m}
 * @param parser null where the text is none; or IllegalArgumentException with a rule of its own,
 *     which completes "'the text' ..."
 */
public record Type<T>(String expected, Function<String, @Nullable T> parser) {
  /** Any text that is not blank. */
  public static final Type<String> TEXT = new Type<>("a text that is not empty", Type::written);

  private static String written(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("is empty");
    }
    return text;
  }
}
