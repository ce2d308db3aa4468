package dev.tidemark.workflows.ledger;

/** The types of the ApplicationFailures that mean a refusal, not a fault: none is worth a retry. */
public final class Refusal {
  /** The request is malformed or names what does not exist: exit code 2. */
  public static final String INVALID = "TidemarkInvalid";

  /** The request is well-formed and not allowed now: paused, conflicting, stale: exit code 4. */
  public static final String REFUSED = "TidemarkRefused";

  /** No such pipeline is registered: exit code 2. */
  public static final String UNKNOWN_PIPELINE = "TidemarkUnknownPipeline";

  private Refusal() {}
}
