package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.Transaction;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stages that make the files of a generation, each of them found again where it was made. */
interface Stages {
  /**
   * What a changelog comes to.
   *
   * @param fullBecause why all must be indexed anew; null where nothing says so
   */
  record Changelog(Jobs.Published published, @Nullable String fullBecause) {}

  /** An index and what it was made of. */
  record Index(Jobs.Published published, Builds.Made made) {}

  Changelog changelog(Work work, String datasource, List<Transaction> transactions)
      throws IOException;

  Jobs.Published merge(Work work) throws IOException;

  Index index(Work work) throws IOException;
}
