package dev.tidemark.starter.configuration;

import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.ServiceUnavailableException;
import dev.tidemark.worker.embedded.Services.Need;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * The columns of exports, compared with those that are committed: an API that a changed
 * configuration may break without being wrong by itself (B25, B26).
 */
final class CommittedSchemas {
  private CommittedSchemas() {}

  /**
   * Compares where there is a ledger to ask; a note where there is one that cannot be.
   *
   * @throws dev.tidemark.activities.ledger.database.LedgerRefusal with the differences, and the way
   *     out
   */
  static Optional<String> check(Workspace workspace, Configuration configuration) {
    List<PipelineDefinition> exports =
        configuration.pipelines().stream()
            .filter(pipeline -> pipeline.task() instanceof TaskSpec.Export)
            .toList();
    // A folder in which nothing has run yet has nothing committed, and is left without a ledger.
    boolean hasLedger =
        configuration.ledger() != null
            || Files.isDirectory(configuration.folder().resolve(".tidemark"));
    if (exports.isEmpty() || !hasLedger) {
      return Optional.empty();
    }
    try (Session session = workspace.open(configuration, Need.LEDGER)) {
      exports.forEach(session.definitions()::preview);
      return Optional.empty();
    } catch (ServiceUnavailableException e) {
      return Optional.of(
          "note: whether the columns of exports are still those of committed partitions is not"
              + " known: "
              + e.getMessage());
    }
  }
}
