package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.KeptGenerations;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.stage.GenerationSweep;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Stores;
import java.io.IOException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes away, after a build, what no generation that is kept needs. */
final class OldGenerations {
  private static final Logger LOG = LoggerFactory.getLogger(OldGenerations.class);

  private final KeptGenerations generations;
  private final Stores stores;

  OldGenerations(DataSource ledger, Stores stores) {
    this.generations = new KeptGenerations(ledger);
    this.stores = stores;
  }

  /** What cannot be taken away stays for the next build. */
  void sweep(ObjectIndex index) {
    try {
      OutputStore store = stores.open(index.type().location());
      for (KeptGenerations.Kept kept : generations.of(index.typeId())) {
        GenerationSweep.run(store, index.type().name(), kept.index(), kept.tokens(), kept.before());
      }
    } catch (IOException e) {
      LOG.warn("old generations of '{}' are swept after the next build", index.type().name(), e);
    }
  }
}
