package dev.tidemark.activities.export.load;

/** Names and values inside a script: nothing in them can end the quotes that they are in. */
final class Quoting {
  private Quoting() {}

  /**
   * A text in a comment of one line: nothing in it ends a line, whatever an engine takes for one.
   */
  static String comment(String text) {
    return text.replaceAll("[\\p{Cntrl}\\x85\\u2028\\u2029]", " ");
  }

  /** A name in double quotes, as standard SQL has it. */
  static String name(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A name in backquotes. */
  static String backquoted(String name) {
    return '`' + name.replace("`", "") + '`';
  }

  /** A text where a backslash is a backslash. */
  static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /** A text where a backslash begins an escape. */
  static String escaped(String value) {
    return "'"
        + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        + "'";
  }
}
