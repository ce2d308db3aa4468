package dev.tidemark.worker.definition;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cron expressions that Temporal accepts: five fields, or a nickname, after an optional {@code
 * CRON_TZ=zone}. Temporal's own parser is in its server, so that a mistake would show only at
 * apply.
 */
final class CronExpression {
  private static final Set<String> NICKNAMES =
      Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
  private static final Pattern TIME_ZONE = Pattern.compile("(CRON_TZ|TZ)=(\\S+)\\s+(.*)");
  private static final Pattern RANGE = Pattern.compile("(\\*|\\?|(\\w+)(-(\\w+))?)(/(\\d{1,4}))?");

  private static final List<Field> FIELDS =
      List.of(
          new Field("minute", 0, 59, List.of()),
          new Field("hour", 0, 23, List.of()),
          new Field("day of month", 1, 31, List.of()),
          new Field(
              "month",
              1,
              12,
              List.of(
                  "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                  "dec")),
          new Field("day of week", 0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

  private CronExpression() {}

  /** What is wrong with it, or empty. */
  static Optional<String> problem(String expression) {
    String rest = expression.strip();
    Matcher zoned = TIME_ZONE.matcher(rest);
    if (zoned.matches()) {
      if (!ZoneId.getAvailableZoneIds().contains(zoned.group(2))) {
        return Optional.of("names a zone that does not exist: " + zoned.group(2));
      }
      rest = zoned.group(3).strip();
    }
    if (rest.startsWith("@")) {
      return NICKNAMES.contains(rest)
          ? Optional.empty()
          : Optional.of("is not a nickname of cron; for an interval use sweep: {every: 15m}");
    }
    String[] fields = rest.split("\\s+", -1);
    if (fields.length != FIELDS.size()) {
      return Optional.of(
          "must have five fields (minute hour day-of-month month day-of-week), and has "
              + (rest.isEmpty() ? 0 : fields.length));
    }
    for (int i = 0; i < fields.length; i++) {
      for (String part : fields[i].split(",", -1)) {
        Optional<String> problem = FIELDS.get(i).problem(part);
        if (problem.isPresent()) {
          return problem;
        }
      }
    }
    return Optional.empty();
  }

  /** One field: its range, and the names that stand for numbers from {@code least} on. */
  private record Field(String name, int least, int most, List<String> names) {

    Optional<String> problem(String part) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        return Optional.of("has a " + name + " that is not understood: '" + part + "'");
      }
      int from = range.group(2) == null ? least : number(range.group(2));
      int to = range.group(4) == null ? Math.max(from, least) : number(range.group(4));
      boolean step = range.group(6) == null || Integer.parseInt(range.group(6)) > 0;
      if (from < least || to > most || from > to || !step) {
        return Optional.of(
            "has '" + part + "' as " + name + ", which goes from " + least + " to " + most);
      }
      return Optional.empty();
    }

    private int number(String text) {
      int named = names.indexOf(text.toLowerCase(Locale.ROOT));
      if (named >= 0) {
        return named + least;
      }
      return text.matches("\\d{1,4}") ? Integer.parseInt(text) : -1;
    }
  }
}
