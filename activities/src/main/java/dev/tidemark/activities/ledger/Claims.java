package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.ClaimResult;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.Scope;
import java.time.Instant;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The claim: one transaction, serialised per pipeline ("The ledger's rules"). */
public final class Claims {
  private final DataSource dataSource;

  public Claims(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Takes claimable rows in the pipeline's order, within its limits and gates.
   *
   * @throws LedgerRefusal if the pipeline is not registered
   */
  public ClaimResult claim(ClaimRequest request) {
    throw new UnsupportedOperationException("to be built");
  }

  /** How many rows a claim could take now, counted up to {@code atMost}. */
  public int countDue(RegisteredPipeline pipeline, Scope scope, @Nullable Instant now, int atMost) {
    throw new UnsupportedOperationException("to be built");
  }

  /** What is left in a scope, and when to look again. */
  public Outlook outlook(RegisteredPipeline pipeline, Scope scope, @Nullable Instant now) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Releases every live claim of every pipeline at once, as lost. Only for an embedded ledger whose
   * other processes are known to be dead.
   *
   * @return how many
   */
  public int releaseAll() {
    throw new UnsupportedOperationException("to be built");
  }
}
