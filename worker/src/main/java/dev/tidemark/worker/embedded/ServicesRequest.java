package dev.tidemark.worker.embedded;

import dev.tidemark.worker.metrics.Metrics;
import org.jspecify.annotations.Nullable;

/**
 * What a command asks of the services.
 *
 * @param stays for {@code dev}: the embedded services are published for other commands, and
 *     Temporal keeps its state in a file
 * @param metrics where the Temporal client counts what it does; null for nowhere
 */
public record ServicesRequest(
    Services.Need need, Schema schema, boolean stays, @Nullable Metrics metrics) {

  /**
   * What to do where a configured ledger has no schema, or an older one. An embedded one is
   * migrated.
   */
  public enum Schema {
    /** Refuse, and name {@code tidemark migrate}. */
    REQUIRED,
    /** Create or upgrade it. */
    MIGRATED,
    /** Leave it as it is: the caller looks for itself. */
    UNCHECKED
  }

  /** A command that needs the schema to be there. */
  public static ServicesRequest of(Services.Need need) {
    return new ServicesRequest(need, Schema.REQUIRED, false, null);
  }

  /** The same, with another rule for the schema. */
  public ServicesRequest with(Schema other) {
    return new ServicesRequest(need, other, stays, metrics);
  }

  /** What {@code dev} asks for. */
  public static ServicesRequest staying() {
    return new ServicesRequest(Services.Need.LEDGER_AND_TEMPORAL, Schema.REQUIRED, true, null);
  }

  /** The same, counted. */
  public ServicesRequest with(Metrics counted) {
    return new ServicesRequest(need, schema, stays, counted);
  }
}
