package dev.tidemark.workflows.export;

import java.util.regex.Pattern;

/**
 * A column of a dataset's pinned schema (B25).
 *
 * @param name as the query returns it and as every reader sees it
 */
public record Column(String name, ColumnType type) {
  /** What every warehouse takes as a name. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  public static final String NAME_RULE =
      "a name of at most 63 letters, digits and _, not beginning with a digit";

  public Column {
    if (!isName(name)) {
      throw new IllegalArgumentException("column '" + name + "' must be " + NAME_RULE);
    }
  }

  /** Whether a column may be called so. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public String toString() {
    return name + " " + type;
  }
}
