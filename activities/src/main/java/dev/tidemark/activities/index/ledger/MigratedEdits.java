package dev.tidemark.activities.index.ledger;

import dev.tidemark.workflows.index.EditMigration;
import java.util.List;

/**
 * What a definition does to the edits that were made before queries were answered from it.
 *
 * @param through the newest of them; the largest number while it is not known yet, as edits are
 *     still made under the definition before
 */
public record MigratedEdits(long through, List<EditMigration> migrations) {
  static final long OPEN = Long.MAX_VALUE;

  public MigratedEdits {
    migrations = List.copyOf(migrations);
  }
}
