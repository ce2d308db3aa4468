package dev.tidemark.workflows.partition;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.ZoneId;

/** The length of a pipeline's windows, by the calendar of its zone (contracts, section 2). */
public enum Grain {
  QUARTER_HOUR("15m"),
  HOUR("hour"),
  DAY("day"),
  WEEK("week"),
  MONTH("month"),
  QUARTER("quarter"),
  YEAR("year");

  private final String code;

  Grain(String code) {
    this.code = code;
  }

  /** The spelling in the configuration and in JSON. */
  @JsonValue
  public String code() {
    return code;
  }

  /** How this grain cuts the zone's calendar. */
  WindowCalendar calendar(ZoneId zone) {
    return switch (this) {
      case QUARTER_HOUR -> new ClockCalendar(15, zone);
      case HOUR -> new ClockCalendar(60, zone);
      case DAY -> new DateCalendar(DateSpan.DAY, zone);
      case WEEK -> new DateCalendar(DateSpan.WEEK, zone);
      case MONTH -> new DateCalendar(DateSpan.MONTH, zone);
      case QUARTER -> new DateCalendar(DateSpan.QUARTER, zone);
      case YEAR -> new DateCalendar(DateSpan.YEAR, zone);
    };
  }

  /** Whether windows are whole calendar days, so that a wall time can close them. */
  public boolean isDaysOrLonger() {
    return compareTo(DAY) >= 0;
  }

  /**
   * The grain spelled {@code code}.
   *
   * @throws IllegalArgumentException if there is none; the message lists them
   */
  @JsonCreator
  public static Grain of(String code) {
    for (Grain grain : values()) {
      if (grain.code.equals(code)) {
        return grain;
      }
    }
    throw new IllegalArgumentException(
        "'" + code + "' is not a grain; the grains are 15m, hour, day, week, month, quarter, year");
  }
}
