package dev.tidemark.starter.objects;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.embedded.Services;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code objects get}: one object. */
@Command(
    name = "get",
    description = "Shows an object.",
    footer = "%nExits 1 if there is none of that key.")
public final class GetCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(index = "0", paramLabel = "TYPE", description = "The object type.")
  private String type = "";

  @Parameters(
      index = "1",
      paramLabel = "KEY",
      description = "Its key: the values of the primary key, with / between them.")
  private String key = "";

  @Option(
      names = "--after-edit",
      paramLabel = "N",
      description = "As it is after this edit, whichever process it was made in.")
  private long afterEdit;

  public GetCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    try (Session session = workspace.open(workspace.configuration(), Services.Need.LEDGER);
        ObjectReader reader = session.objects(type, workspace.clock())) {
      ObjectReader.Answer answer = reader.get(type, key, afterEdit);
      FoundObject found =
          answer
              .object()
              .orElseThrow(
                  () -> CommandFailure.failed("there is no '" + key + "' of '" + type + "'"));
      ObjectViews.One view =
          new ObjectViews.One(
              type,
              ObjectViews.From.of(answer.generation()),
              ObjectViews.Found.of(answer.type(), found));
      workspace.console().result(view, () -> text(view));
    }
    return ExitCode.DONE.code();
  }

  private static String text(ObjectViews.One view) {
    Table table = new Table("PROPERTY", "VALUE");
    for (Map.Entry<String, JsonNode> value : view.object().values().entrySet()) {
      table.row(value.getKey(), value.getValue().isNull() ? null : value.getValue().asText());
    }
    return table.render();
  }
}
