package dev.tidemark.workflows.partition;

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

  /** The spelling in the configuration. */
  public String code() {
    return code;
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
