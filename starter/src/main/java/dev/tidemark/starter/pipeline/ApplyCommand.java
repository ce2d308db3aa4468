package dev.tidemark.starter.pipeline;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.Definitions.Change;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.index.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code apply}: registers the definitions, and what wakes them. */
@Command(
    name = "apply",
    description = "Shows what changes, then registers the definitions and their schedules.")
public final class ApplyCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Option(names = "--dry-run", description = "Only show what would change.")
  private boolean dryRun;

  public ApplyCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    try (Session session =
        dryRun
            ? workspace.open(configuration, Services.Need.LEDGER)
            : workspace.openStanding(configuration)) {
      // All of them first: one that is refused leaves every pipeline as it was.
      Definitions definitions = session.definitions();
      List<Change> changes = configuration.pipelines().stream().map(definitions::preview).toList();
      List<ObjectLine> objects = objects(configuration, session);
      if (!dryRun) {
        apply(configuration, session);
      }
      View view = View.of(changes, objects, others(configuration, definitions), dryRun);
      workspace.console().result(view, () -> text(view));
    }
    return ExitCode.DONE.code();
  }

  private void apply(Configuration configuration, Session session) {
    if (session.isStanding()) {
      Registration.registerAndSchedule(session, configuration);
    } else {
      Registration.register(session, configuration);
      workspace.console().notice("`tidemark dev` makes the schedules when it starts");
    }
  }

  /** A replacement needs the space of the index beside it (c-L5). */
  private static List<ObjectLine> objects(Configuration configuration, Session session) {
    ObjectDefinitions definitions = new ObjectDefinitions(session.ledger());
    ObjectIndexes indexes = new ObjectIndexes(session.ledger());
    List<ObjectLine> lines = new ArrayList<>();
    for (ObjectType type : configuration.objectTypes()) {
      ObjectDefinitions.Change change = definitions.preview(type);
      Long bytes =
          change.kind() == ObjectDefinitions.Change.Kind.REPLACEMENT
              ? indexes.served(type.name()).map(indexes::bytes).orElse(null)
              : null;
      lines.add(
          new ObjectLine(
              type.name(),
              change.kind().name().toLowerCase(Locale.ROOT),
              change.differences(),
              bytes));
    }
    return lines;
  }

  /** What the ledger has besides: gone from the file, or of another file. It goes on as it is. */
  private static List<String> others(Configuration configuration, Definitions definitions) {
    return definitions.all().stream()
        .map(RegisteredPipeline::name)
        .filter(
            name -> configuration.pipelines().stream().noneMatch(own -> own.name().equals(name)))
        .toList();
  }

  private static String text(View view) {
    StringBuilder text = new StringBuilder();
    for (Line line : view.pipelines()) {
      text.append(line.pipeline())
          .append(": ")
          .append(line.change())
          .append(", revision ")
          .append(line.revision())
          .append('\n');
      line.differences().forEach(difference -> text.append("  ").append(difference).append('\n'));
    }
    for (ObjectLine line : view.objectTypes()) {
      text.append(line.objectType()).append(": ").append(line.change()).append('\n');
      line.differences().forEach(difference -> text.append("  ").append(difference).append('\n'));
      if (line.spaceBytes() != null) {
        text.append(
            "  another index is built beside this one, and needs about %d MB more\n"
                .formatted(1 + line.spaceBytes() / 1_000_000));
      }
    }
    for (String other : view.notInFile()) {
      text.append(other)
          .append(": not in this file, and goes on as it is registered; `tidemark remove ")
          .append(other)
          .append("` would end it\n");
    }
    return text.append(view.dryRun() ? "nothing was changed: this was a dry run\n" : "").toString();
  }

  /** What changes, as JSON. */
  record View(
      @JsonProperty("dry_run") boolean dryRun,
      List<Line> pipelines,
      @JsonProperty("object_types") List<ObjectLine> objectTypes,
      @JsonProperty("not_in_file") List<String> notInFile) {
    static View of(
        List<Change> changes, List<ObjectLine> objects, List<String> notInFile, boolean dryRun) {
      return new View(dryRun, changes.stream().map(Line::of).toList(), objects, notInFile);
    }
  }

  /** One object type of it; the space is what a replacement needs besides, null without one. */
  record ObjectLine(
      @JsonProperty("object_type") String objectType,
      String change,
      List<String> differences,
      @JsonProperty("space_bytes") @Nullable Long spaceBytes) {}

  /** One pipeline of it. */
  record Line(String pipeline, String change, int revision, List<String> differences) {
    static Line of(Change change) {
      return new Line(
          change.pipeline().name(),
          change.kind().name().toLowerCase(Locale.ROOT),
          change.pipeline().revision(),
          change.differences());
    }
  }
}
