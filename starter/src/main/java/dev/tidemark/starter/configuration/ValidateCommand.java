package dev.tidemark.starter.configuration;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code validate}: every problem of the configuration at once. Only of a configuration without a
 * problem it asks the ledger, whether columns of exports break what is committed, and the object
 * stores, what they guarantee.
 */
@Command(
    name = "validate",
    description = "Checks the configuration: every problem, with file, line and rule.",
    footer = {
      "%nThe columns of an export are compared with those of its committed partitions, where there is",
      "a ledger; one that cannot be reached changes nothing about the result.",
      "%nWhere outputs go to an object store it is asked what it guarantees, for a few seconds, with a",
      "small object; what it says, or that it cannot be reached, changes nothing about the result."
    })
public final class ValidateCommand implements Callable<Integer> {
  private final Workspace workspace;

  public ValidateCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    Optional<String> note = CommittedSchemas.check(workspace, configuration);
    List<String> names = configuration.pipelines().stream().map(PipelineDefinition::name).toList();
    List<String> objectTypes = configuration.objectTypes().stream().map(ObjectType::name).toList();
    workspace
        .console()
        .result(
            new View(true, configuration.file().toString(), names, objectTypes),
            () -> configuration.file().getFileName() + " is valid: " + String.join(", ", names));
    note.ifPresent(workspace.console()::notice);
    StoreNotes.of(configuration, workspace.clock()).forEach(workspace.console()::notice);
    return ExitCode.DONE.code();
  }

  /** The result as JSON; an invalid configuration is an error with its problems. */
  record View(
      boolean valid,
      String file,
      List<String> pipelines,
      @JsonProperty("object_types") List<String> objectTypes) {}
}
