package dev.tidemark.starter.session;

/** Who asks, for the record. */
public final class Who {
  private Who() {}

  /** The user of the operating system. */
  public static String asks() {
    return System.getProperty("user.name", "unknown");
  }
}
