package dev.tidemark.workflows.export;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the readers of an export rely on.
 *
 * @param columns the pinned schema, in order (B25)
 * @param meaning of a partition; null where the definition does not say
 */
public record Dataset(Format format, List<Column> columns, @Nullable Meaning meaning) {
  /** How the files are written. */
  public enum Format {
    NDJSON,
    CSV,
    PARQUET
  }

  /** What it means that a row is in a partition (B31 to B34). */
  public enum Meaning {
    /** Each row is in the partition of the time at which it happened. */
    EVENT_TIME,
    /** A record is in every partition in which it was active; the newest holds its state. */
    ACTIVITY_STREAM,
    /** Each row is in the partition of its own statistic date. */
    DAILY_STATISTICS
  }

  public Dataset {
    columns = List.copyOf(columns);
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("an export must have at least one column");
    }
    // Most warehouses do not tell names by their case.
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("there are two columns '" + column.name() + "'");
      }
    }
  }
}
