package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Nearest;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.workflows.partition.Grain;
import java.net.URI;
import java.net.URISyntaxException;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the texts in the configuration can be. */
final class Types {
  private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,9})([smhd])");
  private static final Pattern DAYS = Pattern.compile("(\\d{1,5})d");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern PERCENTAGE = Pattern.compile("(\\d{1,3})%");
  private static final String UNITS = "BKMGT";
  private static final Pattern BYTES = Pattern.compile("([0-9]{1,6})(?:([KMGT])(i?))?B");
  private static final Pattern WALL_TIME = Pattern.compile("\\d{2}:\\d{2}(:\\d{2})?");

  /** Longer ones are slips of the pen, and would overflow what Temporal accepts. */
  private static final Duration LONGEST = Duration.ofDays(3660);

  /** Of a pipeline, an object type or one of its datasources. */
  static final Type<String> NAME =
      new Type<>(
          "a name of at most 63 of a-z, 0-9 and -, beginning with a letter or digit",
          text -> text.matches("[a-z0-9][a-z0-9-]{0,62}") ? text : null);

  /** From zero on. */
  static final Type<Duration> DURATION =
      new Type<>("a duration such as 90s, 15m, 1h, 2d or PT90S", Types::duration);

  static final Type<Duration> POSITIVE_DURATION =
      new Type<>(
          DURATION.expected(),
          text -> {
            Duration duration = duration(text);
            if (duration != null && duration.isZero()) {
              throw new IllegalArgumentException("must be longer than nothing");
            }
            return duration;
          });

  /** From zero days on. */
  static final Type<Period> PERIOD =
      new Type<>("a number of days such as 60d, or a period such as P2M", Types::period);

  static final Type<ZoneId> ZONE =
      new Type<>("a time zone such as UTC or Europe/Istanbul", Types::zone);

  static final Type<LocalTime> TIME =
      new Type<>("a time of day such as \"01:00\", in 24 hours", Types::time);

  static final Type<Grain> GRAIN = choice(List.of(Grain.values()), Grain::code);

  static final Type<Boolean> FLAG =
      new Type<>(
          "true or false",
          text ->
              switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> null;
              });

  static final Type<Integer> PERCENT =
      new Type<>(
          "a percentage from 0% to 100%, such as 50%",
          text -> {
            Matcher percentage = PERCENTAGE.matcher(text);
            int share = percentage.matches() ? Integer.parseInt(percentage.group(1)) : -1;
            return share < 0 || share > 100 ? null : share;
          });

  /** Powers of 1000, or with an i of 1024. */
  static final Type<Long> SIZE =
      new Type<>(
          "a size such as 500MB, 100GB or 64MiB",
          text -> {
            Matcher size = BYTES.matcher(text);
            if (!size.matches()) {
              return null;
            }
            String unit = size.group(2) == null ? "B" : size.group(2);
            int base = "i".equals(size.group(3)) ? 1024 : 1000;
            long bytes = Long.parseLong(size.group(1));
            for (int power = UNITS.indexOf(unit); power > 0; power--) {
              bytes = Math.multiplyExact(bytes, base);
            }
            if (bytes < 1) {
              throw new IllegalArgumentException("must be at least 1B");
            }
            return bytes;
          });

  static final Type<String> JDBC_URL =
      new Type<>(
          "a JDBC URL such as jdbc:postgresql://localhost:5432/tidemark",
          text -> text.startsWith("jdbc:postgresql:") ? text : null);

  /** Any database, as long as its driver is there. */
  static final Type<String> DATABASE_URL =
      new Type<>(
          JDBC_URL.expected(),
          text -> {
            if (!text.startsWith("jdbc:")) {
              return null;
            }
            if (!isPostgres(text)
                && DriverManager.drivers().noneMatch(driver -> accepts(driver, text))) {
              throw new IllegalArgumentException(
                  "has no driver here: put the driver's jar on the class path, beside the jars of"
                      + " tidemark");
            }
            return text;
          });

  /** Temporal joins the two with a colon, and keeps names that begin with underscores. */
  static final Type<String> DEPLOYMENT_NAME =
      new Type<>(
          "the name of a worker deployment such as tidemark, of letters, digits, - and _",
          text -> text.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,99}") ? text : null);

  static final Type<String> BUILD_ID =
      new Type<>(
          "a build such as 2026-11-30 or a commit, of letters, digits, dots, - and _",
          text -> text.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}") ? text : null);

  static final Type<String> BUCKET =
      new Type<>(
          "the name of a bucket such as exports, without a prefix",
          text -> text.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,254}") ? text : null);

  static final Type<String> ENDPOINT =
      new Type<>(
          "the URL of a store such as https://s3.example.com or http://127.0.0.1:9000",
          text -> text.matches("https?://[^/\\s?#]+/?") && isUrl(text) ? text : null);

  private Types() {}

  private static boolean accepts(Driver driver, String url) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Whether the database is one that can do everything, and not only be read by an export. */
  static boolean isPostgres(String jdbcUrl) {
    return JDBC_URL.parser().apply(jdbcUrl) != null;
  }

  private static boolean isUrl(String text) {
    try {
      return new URI(text).getHost() != null;
    } catch (URISyntaxException none) {
      return false;
    }
  }

  /** A whole number, both ends included. */
  static Type<Integer> number(int least, int most) {
    return new Type<>(
        "a whole number from " + least + " to " + most,
        text -> {
          if (!WHOLE_NUMBER.matcher(text).matches()) {
            return null;
          }
          long number = Long.parseLong(text);
          if (number < least) {
            throw new IllegalArgumentException("must be at least " + least);
          }
          if (number > most) {
            throw new IllegalArgumentException("must be at most " + most);
          }
          return (int) number;
        });
  }

  /** One of an enum's constants, written {@code like-this}. */
  static <E extends Enum<E>> Type<E> choice(Class<E> type) {
    return choice(
        List.of(type.getEnumConstants()),
        constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  private static <E> Type<E> choice(List<E> constants, Function<E, String> spelling) {
    List<String> known = constants.stream().map(spelling).toList();
    String rule = "one of " + String.join(", ", known);
    return new Type<>(
        rule,
        text -> {
          int index = known.indexOf(text);
          if (index < 0) {
            throw new IllegalArgumentException("is not " + rule + Nearest.hint(text, known));
          }
          return constants.get(index);
        });
  }

  private static @Nullable Duration duration(String text) {
    Duration duration;
    Matcher brief = SHORT_DURATION.matcher(text);
    if (brief.matches()) {
      long amount = Long.parseLong(brief.group(1));
      duration =
          switch (brief.group(2)) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
          };
    } else if (text.startsWith("-")) {
      throw new IllegalArgumentException("must not be negative");
    } else {
      try {
        duration = Duration.parse(text);
      } catch (DateTimeParseException | ArithmeticException none) {
        return null;
      }
    }
    if (duration.isNegative()) {
      throw new IllegalArgumentException("must not be negative");
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("must be at most " + LONGEST.toDays() + "d");
    }
    return duration;
  }

  private static @Nullable Period period(String text) {
    Matcher days = DAYS.matcher(text);
    if (days.matches()) {
      return Period.ofDays(Integer.parseInt(days.group(1)));
    }
    try {
      Period period = Period.parse(text);
      if (period.isNegative()) {
        throw new IllegalArgumentException("must not be negative");
      }
      return period;
    } catch (DateTimeParseException none) {
      if (text.startsWith("-")) {
        throw new IllegalArgumentException("must not be negative", none);
      }
      return null;
    }
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException none) {
      throw new IllegalArgumentException(
          "is not a time zone; use a name such as UTC or Europe/Istanbul"
              + Nearest.hint(text, ZoneId.getAvailableZoneIds().stream().sorted().toList()),
          none);
    }
  }

  private static @Nullable LocalTime time(String text) {
    try {
      return WALL_TIME.matcher(text).matches() ? LocalTime.parse(text) : null;
    } catch (DateTimeParseException none) {
      return null;
    }
  }
}
