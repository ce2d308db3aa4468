package dev.tidemark.worker.process;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.Definitions.Change;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people where a worker's definitions differ from the registered ones. A worker uses the
 * registered ones, and never registers on its own.
 */
final class Drift {
  private static final Logger log = LoggerFactory.getLogger(Drift.class);

  private Drift() {}

  static void warn(Definitions registered, List<PipelineDefinition> own) {
    for (PipelineDefinition definition : own) {
      try {
        Change change = registered.preview(definition);
        switch (change.kind()) {
          case UNCHANGED -> {}
          case CREATED ->
              log.warn("pipeline '{}' is not registered: run `tidemark apply`", definition.name());
          case CHANGED ->
              log.warn(
                  "pipeline '{}' differs from its registered revision {}, which is used: {}."
                      + " `tidemark apply` registers this worker's",
                  definition.name(),
                  change.pipeline().revision(),
                  change.differences());
        }
      } catch (LedgerRefusal e) {
        log.warn(
            "pipeline '{}' differs from the registered one, which is used, and could not replace"
                + " it: {}",
            definition.name(),
            e.getMessage());
      }
    }
  }
}
