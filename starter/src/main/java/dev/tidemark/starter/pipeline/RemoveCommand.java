package dev.tidemark.starter.pipeline;

import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code remove}: takes a pipeline out of the ledger and of Temporal. */
@Command(
    name = "remove",
    description =
        "Deletes a pipeline's schedule, cancels its backfills, archives its rows; or an object type.",
    footer = "%nIts outputs stay. Registered again under the name, it starts afresh.")
public final class RemoveCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(
      paramLabel = "PIPELINE",
      description =
          "A registered pipeline, or else an object type; it need not be in the configuration.")
  private String pipeline = "";

  public RemoveCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    try (Session session = workspace.openStanding(configuration)) {
      if (session.definitions().find(pipeline).isEmpty() && isObjectType(session)) {
        removeObjectType(session);
        return ExitCode.DONE.code();
      }
      session.definitions().get(pipeline);
      // The schedule first: what wakes the pipeline must not outlive it.
      if (session.isStanding() && session.services().temporalHasSchedules()) {
        session.schedules().remove(pipeline);
      }
      session.definitions().remove(pipeline);
    }
    workspace
        .console()
        .result(
            new View(pipeline, true),
            () -> pipeline + " is removed; its outputs stay where they are");
    return ExitCode.DONE.code();
  }

  private boolean isObjectType(Session session) {
    return new ObjectTypes(session.ledger())
        .all().stream().anyMatch(type -> type.name().equals(pipeline));
  }

  private void removeObjectType(Session session) {
    if (session.isStanding() && session.services().temporalHasSchedules()) {
      session.objectSchedules().remove(pipeline);
    }
    new ObjectTypes(session.ledger()).remove(pipeline);
    workspace
        .console()
        .result(
            new View(pipeline, true),
            () -> pipeline + " is removed; its files and the edits of it stay where they are");
  }

  /** The result as JSON. */
  record View(String pipeline, boolean removed) {}
}
