package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The columns of an export, which are an API from the first commit on: others are added at its end,
 * and nothing else (B25, B26).
 */
public final class PinnedColumns {
  private PinnedColumns() {}

  /** Of the newest revision that something committed was made with. */
  private static final Sql COMMITTED =
      Sql.of(
          """
          select r.definition::text as definition
            from tidemark.revision r
           where r.pipeline_id = :pipeline and r.definition #>> '{task,kind}' = 'export'
             and exists (
               select from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline and l.committed_token is not null
                  and l.revision = r.revision)
           order by r.revision desc limit 1
          """);

  static void check(Connection connection, RegisteredPipeline present, TaskSpec next)
      throws SQLException {
    if (next instanceof TaskSpec.Export export) {
      List<Column> before = committed(connection, present);
      List<String> differences = differences(before, export.dataset().columns());
      if (!differences.isEmpty()) {
        throw new LedgerRefusal(
            LedgerRefusal.Kind.REFUSED,
            "task.export.columns",
            message(present.name(), differences));
      }
    }
  }

  /**
   * Why an attempt with this revision may not publish: columns that others have committed since it
   * was registered, or since the attempt began. Only then is it known which of two came first. One
   * with fewer columns, of an older revision, is no harm.
   */
  public static Optional<String> refusal(Connection connection, RegisteredPipeline attempted)
      throws SQLException {
    if (!(attempted.definition().task() instanceof TaskSpec.Export export)) {
      return Optional.empty();
    }
    List<Column> columns = export.dataset().columns();
    List<Column> before = committed(connection, attempted);
    List<String> differences =
        differences(before.subList(0, Math.min(before.size(), columns.size())), columns);
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(message(attempted.name(), differences));
  }

  private static List<Column> committed(Connection connection, RegisteredPipeline pipeline)
      throws SQLException {
    return COMMITTED
        .on(connection)
        .set("pipeline", pipeline.id())
        .first(row -> DefinitionDocument.parse(row.text("definition")).task())
        .map(task -> ((TaskSpec.Export) task).dataset().columns())
        .orElse(List.of());
  }

  private static List<String> differences(List<Column> before, List<Column> after) {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      String is = i < after.size() ? after.get(i).toString() : "not there";
      if (!before.get(i).toString().equals(is)) {
        differences.add("column %d was %s and is %s".formatted(i + 1, before.get(i), is));
      }
    }
    return differences;
  }

  private static String message(String pipeline, List<String> differences) {
    return "pipeline '%s' has committed partitions, whose readers rely on its columns: %s. Add columns at the end only, or make a dataset of its own beside it: pipeline %s-v2, which loads into a table of its own"
        .formatted(pipeline, String.join("; ", differences), pipeline);
  }
}
