package dev.tidemark.activities.export.row;

import org.jspecify.annotations.Nullable;

/** A value that its column cannot hold, before anybody said in words which one it is. */
public final class Misfit extends Exception {
  private static final long serialVersionUID = 1L;

  private final int column;
  private final @Nullable String key;
  private final String value;
  private final String rule;

  private Misfit(int column, @Nullable String key, String value, String rule) {
    super(rule, null, false, false);
    this.column = column;
    this.key = key;
    this.value = value;
    this.rule = rule;
  }

  static Misfit of(int column, String value, String rule) {
    return new Misfit(column, null, value, rule);
  }

  /** The same, in the row whose first value is this one. */
  Misfit in(@Nullable String firstValue) {
    // Where it is the first value that does not fit, that is what the row is known by.
    return new Misfit(column, column == 0 ? value : firstValue, value, rule);
  }

  /** Its index, from 0. */
  public int column() {
    return column;
  }

  /** The value of the row's first column; null where that is null. */
  public @Nullable String key() {
    return key;
  }

  /** As the database writes it. */
  public String value() {
    return value;
  }

  /** What it breaks. */
  public String rule() {
    return rule;
  }
}
