package dev.tidemark.starter.session;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How arguments are read that are neither text nor number. */
public final class Converters {
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})([smhd])");

  private Converters() {}

  /** Registers them on the command and its subcommands. */
  @SafeVarargs
  public static void register(CommandLine command, Class<? extends Enum<?>>... choices) {
    command.registerConverter(Instant.class, Converters::instant);
    command.registerConverter(Duration.class, Converters::duration);
    for (Class<? extends Enum<?>> choice : choices) {
      registerChoice(command, choice);
    }
  }

  private static <E extends Enum<?>> void registerChoice(CommandLine command, Class<E> choice) {
    ITypeConverter<E> converter = text -> choice(choice, text);
    command.registerConverter(choice, converter);
  }

  private static <E extends Enum<?>> E choice(Class<E> choice, String text) {
    E[] values = choice.getEnumConstants();
    for (E value : values) {
      if (code(value).equals(text)) {
        return value;
      }
    }
    throw new TypeConversionException(
        "'" + text + "' is not one of " + Arrays.stream(values).map(Converters::code).toList());
  }

  private static String code(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + text + "' is not an instant such as 2026-08-04T01:00:00+03:00 or ...Z");
    }
  }

  private static Duration duration(String text) {
    Duration duration = parse(text);
    if (duration.isNegative() || duration.isZero()) {
      throw new TypeConversionException("'" + text + "' must be longer than nothing");
    }
    return duration;
  }

  private static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text);
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'" + text + "' is not a duration such as 90s, 15m, 1h, 2d or PT15M");
    }
  }
}
