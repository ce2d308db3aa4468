package dev.tidemark.workflows.export;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The load scripts that are written beside the data (B35).
 *
 * @param engines one script for each
 * @param table that they load into: {@code events}, {@code analytics.events} or {@code
 *     project.analytics.events}
 */
public record Load(List<Engine> engines, String table) {
  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]{0,62}";
  private static final Pattern TABLE =
      Pattern.compile("(([A-Za-z_][A-Za-z0-9_-]{0,62}\\.)?" + NAME + "\\.)?" + NAME);

  public static final String TABLE_RULE =
      "the name of a table such as events, analytics.events or project.analytics.events, of"
          + " letters, digits and _";

  /** The warehouses and databases that scripts are written for. */
  public enum Engine {
    SNOWFLAKE,
    BIGQUERY,
    ATHENA,
    TRINO,
    REDSHIFT,
    DUCKDB,
    POSTGRES;

    /** As it is written: {@code duckdb}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Load {
    engines = List.copyOf(new LinkedHashSet<>(engines));
    if (engines.isEmpty()) {
      throw new IllegalArgumentException("load must name at least one engine");
    }
    if (!isTable(table)) {
      throw new IllegalArgumentException("table '" + table + "' must be " + TABLE_RULE);
    }
  }

  /** Whether a table may be called so. */
  public static boolean isTable(String text) {
    return TABLE.matcher(text).matches();
  }
}
