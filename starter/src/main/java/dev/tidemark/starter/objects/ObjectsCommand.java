package dev.tidemark.starter.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code objects}: how object types stand, and what people ask of their indexes. */
@Command(name = "objects", description = "Object types, their objects and their indexes.")
public final class ObjectsCommand implements Callable<Integer> {
  private static final String TYPE = "TYPE";
  private static final String TYPE_TEXT = "The object type.";

  private final Workspace workspace;

  @Spec private CommandSpec spec = CommandSpec.create();

  public ObjectsCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: list, show, get, search, edit, jobs, build, reindex, replace or rollback");
  }

  @Command(name = "list", description = "Lists object types, and how each stands.")
  int list() throws Exception {
    return standings(null);
  }

  @Command(name = "show", description = "Shows how an object type stands.")
  int show(@Parameters(paramLabel = TYPE, description = TYPE_TEXT) String type) throws Exception {
    return standings(type);
  }

  private int standings(@Nullable String type) throws Exception {
    try (Session session = ledger()) {
      if (type != null) {
        new ObjectTypes(session.ledger()).get(type);
      }
      List<ObjectViews.Standing> standings =
          new ObjectHealth(session.ledger())
              .all().stream()
                  .filter(one -> type == null || one.type().equals(type))
                  .map(one -> ObjectViews.Standing.of(one.type(), one.standing()))
                  .toList();
      workspace.console().result(new Standings(standings), () -> text(standings));
    }
    return ExitCode.DONE.code();
  }

  private static String text(List<ObjectViews.Standing> standings) {
    if (standings.isEmpty()) {
      return "no object types; `tidemark apply` registers those of the configuration";
    }
    Table table =
        new Table("TYPE", "REVISION", "GENERATION", "OBJECTS", "EDITS", "WAITING", "UPCOMING");
    for (ObjectViews.Standing one : standings) {
      ObjectViews.Index served = one.served();
      ObjectViews.Index upcoming = one.upcoming();
      table.row(
          one.objectType(),
          served == null ? null : served.revision(),
          served == null ? null : served.generation(),
          served == null ? null : served.objects(),
          one.editOffset(),
          one.waitingSeconds() + "s",
          upcoming == null ? null : upcoming.role() + " " + upcoming.revision());
    }
    return table.render();
  }

  @Command(name = "jobs", description = "Lists the newest jobs of builds, the newest first.")
  int jobs(
      @Parameters(paramLabel = TYPE, arity = "0..1", description = "Only of this object type.")
          @Nullable String type,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "50",
              description = "No more than these (default: 50).")
          int limit)
      throws Exception {
    try (Session session = ledger()) {
      if (type != null) {
        new ObjectTypes(session.ledger()).get(type);
      }
      List<ObjectViews.Job> jobs =
          new Jobs(session.ledger())
              .newest(type, Math.max(1, limit)).stream().map(ObjectViews.Job::of).toList();
      workspace.console().result(new JobList(jobs), () -> jobsText(jobs));
    }
    return ExitCode.DONE.code();
  }

  private static String jobsText(List<ObjectViews.Job> jobs) {
    Table table =
        new Table("TYPE", "GENERATION", "CAUSE", "STAGE", "SUBJECT", "STATE", "ROWS", "ERROR");
    for (ObjectViews.Job job : jobs) {
      table.row(
          job.build().objectType(),
          job.build().generation(),
          job.build().cause(),
          job.stage(),
          job.subject(),
          job.state(),
          job.ran().rows(),
          job.error());
    }
    return table.render();
  }

  @Command(
      name = "build",
      description = "Builds what is new into the live index now, and waits for it.",
      footer = "%nWhat failed for its data is tried again. Exits 1 if a build failed.")
  int build(@Parameters(paramLabel = TYPE, description = TYPE_TEXT) String type) throws Exception {
    return new LiveBuild(workspace, type).run(false);
  }

  @Command(
      name = "reindex",
      description = "Reads all datasources anew into the live index (D29), and waits for it.")
  int reindex(@Parameters(paramLabel = TYPE, description = TYPE_TEXT) String type)
      throws Exception {
    return new LiveBuild(workspace, type).run(true);
  }

  @Command(
      name = "replace",
      description = "Builds another index in the background, to replace the live one.",
      footer = "%nOf the definition whose replacement failed, else of the present one.")
  int replace(@Parameters(paramLabel = TYPE, description = TYPE_TEXT) String type)
      throws Exception {
    try (Session session = standing()) {
      new ObjectTypes(session.ledger()).get(type);
      int revision = new Replacements(session.ledger()).again(type);
      session.wakeObjects(type);
      workspace
          .console()
          .result(
              new Replacement(type, revision),
              () -> "revision " + revision + " of '" + type + "' is being built");
    }
    return ExitCode.DONE.code();
  }

  @Command(
      name = "rollback",
      description = "Answers queries from the index before the last switch again, at once.",
      footer = "%nChange the configuration too: the next apply brings its definition back.")
  int rollback(@Parameters(paramLabel = TYPE, description = TYPE_TEXT) String type)
      throws Exception {
    try (Session session = standing()) {
      new ObjectTypes(session.ledger()).get(type);
      ObjectIndex served = new Replacements(session.ledger()).rollBack(type);
      session.wakeObjects(type);
      workspace
          .console()
          .result(
              new Replacement(type, served.revision()),
              () ->
                  "revision %d of '%s' is served again, with generation %d"
                      .formatted(served.revision(), type, served.built().generation()));
    }
    return ExitCode.DONE.code();
  }

  private Session ledger() throws Exception {
    return workspace.open(workspace.configuration(), Services.Need.LEDGER);
  }

  private Session standing() throws Exception {
    Configuration configuration = workspace.configuration();
    return workspace.openStanding(configuration);
  }

  /** How all stand. */
  record Standings(@JsonProperty("object_types") List<ObjectViews.Standing> objectTypes) {}

  /** Jobs. */
  record JobList(List<ObjectViews.Job> jobs) {}

  /** Which revision is built, or served. */
  record Replacement(@JsonProperty("object_type") String objectType, int revision) {}
}
