package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of an export, which are an API from the first commit on: others are added at its end,
 * and nothing else (B25, B26).
 */
final class PinnedColumns {
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
    if (!(next instanceof TaskSpec.Export export)) {
      return;
    }
    List<String> committed =
        COMMITTED.on(connection).set("pipeline", present.id()).list(row -> row.text("definition"));
    for (String definition : committed) {
      TaskSpec task = DefinitionDocument.parse(definition).task();
      List<Column> before = ((TaskSpec.Export) task).dataset().columns();
      List<String> differences = differences(before, export.dataset().columns());
      if (!differences.isEmpty()) {
        throw refused(present.name(), differences);
      }
    }
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

  private static LedgerRefusal refused(String pipeline, List<String> differences) {
    return new LedgerRefusal(
        LedgerRefusal.Kind.REFUSED,
        "task.export.columns",
        "pipeline '%s' has committed partitions, whose readers rely on its columns: %s. Add columns at the end only, or make a dataset of its own beside it: %s-v2"
            .formatted(pipeline, String.join("; ", differences), pipeline));
  }
}
