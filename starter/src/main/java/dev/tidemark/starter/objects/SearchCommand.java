package dev.tidemark.starter.objects;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.index.query.Filter;
import dev.tidemark.activities.index.query.FilterReader;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.query.ObjectQuery.Sorting;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.index.ObjectType;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code objects search}: the objects that a filter or words find. */
@Command(
    name = "search",
    description = "Shows the first objects that are found, and how many there are.",
    footer = {
      "%nThe filter is JSON, such as '{\"and\":[{\"eq\":{\"city\":\"Bonn\"}},{\"gte\":{\"age\":3}}]}';"
          + " docs/objects.md",
      "has all of it."
    })
public final class SearchCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Workspace workspace;

  @Parameters(paramLabel = "TYPE", description = "The object type.")
  private String type = "";

  @Option(names = "--filter", paramLabel = "JSON", description = "Only objects that fit.")
  private @Nullable String filter;

  @Option(names = "--text", paramLabel = "T", description = "Only objects with these words.")
  private @Nullable String text;

  @Option(
      names = "--sort",
      paramLabel = "P",
      description = "By this property, or -P for the largest first; may be given several times.")
  private List<String> sort = List.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "No more than these (default: 50).")
  private int limit;

  public SearchCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    try (Session session = workspace.open(workspace.configuration(), Services.Need.LEDGER);
        ObjectReader reader = session.objects(type, workspace.clock())) {
      ObjectType definition = reader.type(type).orElseThrow();
      FoundObjects found = reader.search(type, query(definition), 0);
      ObjectViews.Page view =
          new ObjectViews.Page(
              type,
              ObjectViews.From.of(found.generation()),
              found.total(),
              found.objects().stream()
                  .map(object -> ObjectViews.Found.of(found.type(), object))
                  .toList(),
              found.next());
      workspace.console().result(view, () -> text(view));
    }
    return ExitCode.DONE.code();
  }

  private ObjectQuery query(ObjectType definition) {
    return new ObjectQuery(
        filter == null ? Filter.EVERY : FilterReader.read(definition, json(filter)),
        text,
        sort.stream()
            .map(
                name ->
                    name.startsWith("-")
                        ? new Sorting(name.substring(1), true)
                        : new Sorting(name, false))
            .toList(),
        limit,
        null);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw CommandFailure.usage("--filter", "the filter is not JSON: " + e.getOriginalMessage());
    }
  }

  private static String text(ObjectViews.Page view) {
    Table table = new Table("KEY", "VALUES");
    view.objects().forEach(object -> table.row(object.key(), object.values()));
    return table.render() + view.total() + " found\n";
  }
}
