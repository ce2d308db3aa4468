package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Meaning;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a dataset's readers have to know, beside its files (B31 to B34). */
public final class DatasetPage {
  public static final String NAME = "_dataset.md";

  private DatasetPage() {}

  /**
   * The page of a pipeline's dataset; the same for all of its partitions.
   *
   * @param time the columns that the folders of the time are: {@code dt}, or {@code dt, hour}
   */
  public static String of(String pipeline, Dataset dataset, List<String> time) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(pipeline).append("\n\n");
    page.append(
        "Files of a partition are complete once `_manifest.json` is beside them: read it, ");
    page.append("then the files that it\nnames, then it again; where its token has changed, ");
    page.append("start over.\n\n## Columns\n\n| column | type |\n|---|---|\n");
    for (Column column : dataset.columns()) {
      page.append("| `%s` | %s |\n".formatted(column.name(), column.type()));
    }
    page.append("\nColumns are added at the end, and never renamed, moved, retyped or removed.\n");
    return page.append("\n## What a partition is\n\n").append(meaning(dataset, time)).toString();
  }

  private static String meaning(Dataset dataset, List<String> time) {
    Meaning meaning = dataset.meaning();
    if (meaning == null) {
      return "The definition does not say what it means that a row is in a partition.\n";
    }
    String key = dataset.columns().get(0).name();
    return switch (meaning) {
      case EVENT_TIME -> "Each row is in the partition of the time at which it happened.\n";
      case DAILY_STATISTICS -> "Each row is in the partition of its own date.\n";
      case ACTIVITY_STREAM ->
          """
          A record is in every partition in which it was active; its newest one has its state:

              select * from (
                select t.*, row_number() over (partition by "%s" order by %s) as newest
                from YOUR_TABLE t
              ) ranked
              where newest = 1

          `%s` is the first column, here taken for what tells one record from another; the rows are
          ordered by the partition's time.
          """
              .formatted(
                  key,
                  time.stream().map(name -> name + " desc").collect(Collectors.joining(", ")),
                  key);
    };
  }

  /** A meaning as the configuration spells it; null where there is none. */
  public static @Nullable String code(@Nullable Meaning meaning) {
    return meaning == null ? null : meaning.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
