package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.KeptGenerations;
import dev.tidemark.activities.index.ledger.OldBuilds;
import dev.tidemark.activities.index.stage.GenerationSweep;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Stores;
import java.io.IOException;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes away, after a build, what no generation that is kept needs, and the rows of old builds. */
final class OldGenerations {
  private static final Logger LOG = LoggerFactory.getLogger(OldGenerations.class);

  private final KeptGenerations generations;
  private final OldBuilds builds;
  private final Stores stores;

  OldGenerations(DataSource ledger, Stores stores) {
    this.generations = new KeptGenerations(ledger);
    this.builds = new OldBuilds(ledger);
    this.stores = stores;
  }

  /**
   * Sweeps the indexes of an object type; what cannot be taken away stays for the next build.
   *
   * @param beat says that the work goes on; called at each object of a store
   */
  void sweep(int typeId, Runnable beat) {
    forget(typeId);
    for (KeptGenerations.Kept kept : generations.of(typeId)) {
      Optional<OutputStore> store = store(kept);
      try {
        if (store.isPresent()) {
          GenerationSweep.run(
              store.get(), kept.objectType(), kept.index(), kept.tokens(), kept.before(), beat);
        }
      } catch (IOException e) {
        LOG.warn(
            "old generations of index {} of '{}' are swept after the next build",
            kept.index(),
            kept.objectType(),
            e);
      }
    }
  }

  /** Forgets builds of long ago, also where none succeeds any more. */
  void forget(int typeId) {
    builds.forget(typeId);
  }

  /** Each index has its files where its own definition says; that place may be known no more. */
  private Optional<OutputStore> store(KeptGenerations.Kept kept) {
    try {
      return Optional.of(stores.open(kept.location()));
    } catch (IllegalArgumentException e) {
      LOG.warn("index {} of '{}' is not swept", kept.index(), kept.objectType(), e);
      return Optional.empty();
    }
  }
}
