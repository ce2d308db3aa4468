package dev.tidemark.activities.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.connection.Outage;
import dev.tidemark.activities.export.DatasetPage;
import dev.tidemark.activities.export.Exporter;
import dev.tidemark.activities.export.Exporter.Exported;
import dev.tidemark.activities.export.MisfitException;
import dev.tidemark.activities.export.SchemaMismatchException;
import dev.tidemark.activities.export.load.LoadScripts;
import dev.tidemark.activities.ledger.attempt.PreviousCommit;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Exports what a query returns for the partition (contracts, section 5). */
final class ExportTask implements TaskRunner {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final DataSource database;
  private final TaskSpec.Export spec;

  ExportTask(DataSource database, TaskSpec.Export spec) {
    this.database = database;
    this.spec = spec;
  }

  @Override
  public Contents run(TaskRun run)
      throws IOException,
          SQLException,
          InterruptedException,
          BadDataException,
          NotReadyException,
          TaskFailedException {
    try {
      Exported exported =
          new Exporter(database, spec).run(TaskValues.sql(run), run.output(), run::onEnd);
      run.log("exported " + exported.rows() + " rows in " + exported.parts().size() + " files");
      return contents(run, exported);
    } catch (SQLException e) {
      if (Outage.isOutage(e) && !run.isCancelled()) {
        throw new NotReadyException(
            "connection '" + spec.connection() + "' cannot be reached: " + e.getMessage());
      }
      throw e;
    } catch (MisfitException e) {
      throw new BadDataException(String.valueOf(e.getMessage()));
    } catch (SchemaMismatchException e) {
      throw new TaskFailedException(String.valueOf(e.getMessage()));
    }
  }

  private Contents contents(TaskRun run, Exported exported) {
    return new Contents(
        exported.rows(),
        exported.parts(),
        schema(spec.dataset().columns()),
        source(run, exported),
        this::companions);
  }

  private Map<String, String> companions(String folder, PublishedOutput output) {
    Map<String, String> texts = new TreeMap<>();
    texts.put(
        DatasetPage.NAME,
        DatasetPage.of(output.pipeline(), spec.dataset(), LoadScripts.timeColumns(folder, output)));
    Load load = spec.load();
    if (load != null) {
      texts.putAll(LoadScripts.of(spec.dataset(), load, folder, output));
    }
    return texts;
  }

  private static ArrayNode schema(List<Column> columns) {
    ArrayNode schema = JSON.arrayNode();
    for (Column column : columns) {
      schema.addObject().put("name", column.name()).put("type", column.type().toString());
    }
    return schema;
  }

  /** Answers why there are as many rows as there are (B17). */
  private ObjectNode source(TaskRun run, Exported exported) {
    ObjectNode source = JSON.objectNode();
    source.put("connection", spec.connection());
    source.put("query", spec.query());
    source
        .putObject("bounds")
        .put("start", run.window().start().toString())
        .put("end", run.window().end().toString());
    source.put("rows_read", exported.rows());
    String account = run.subject().account();
    if (account != null) {
      source.putObject("rows_by_account").put(account, exported.rows());
    }
    ArrayNode leftOut = source.putArray("left_out");
    exported
        .leftOut()
        .forEach(left -> leftOut.addObject().put("reason", left.reason()).put("rows", left.rows()));
    source.put("snapshot_at", exported.snapshotAt().toString());
    source.put("input_version", run.inputVersion());
    source.put("meaning", DatasetPage.code(spec.dataset().meaning()));
    source.set("previous", run.previous().map(ExportTask::previous).orElse(null));
    return source;
  }

  private static JsonNode previous(PreviousCommit commit) {
    return JSON.objectNode()
        .put("token", commit.token())
        .put("committed_at", commit.committedAt().toString())
        .put("rows", commit.rows())
        .put("bytes", commit.bytes())
        .put("files", commit.files())
        .put("input_version", commit.inputVersion())
        .put("same_definition", commit.sameDefinition());
  }
}
