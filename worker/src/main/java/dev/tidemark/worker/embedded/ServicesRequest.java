package dev.tidemark.worker.embedded;

import dev.tidemark.worker.metrics.Exposition;
import dev.tidemark.worker.metrics.Metrics;
import org.jspecify.annotations.Nullable;

/**
 * What a command asks of the services.
 *
 * @param stays for {@code dev}: the embedded services are published for other commands, and
 *     Temporal keeps its state in a file
 * @param exposition where the process shows what it counts; null for nowhere
 */
public record ServicesRequest(
    Services.Need need, Schema schema, boolean stays, @Nullable Exposition exposition) {

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
    return new ServicesRequest(need, other, stays, exposition);
  }

  /** What {@code dev} asks for. */
  public static ServicesRequest staying() {
    return new ServicesRequest(Services.Need.LEDGER_AND_TEMPORAL, Schema.REQUIRED, true, null);
  }

  /** The same, for a process that stays and shows its metrics. */
  public ServicesRequest counted() {
    return new ServicesRequest(need, schema, stays, new Exposition());
  }

  /** Where the process counts what it does; null for nowhere. */
  @Nullable Metrics metrics() {
    return exposition == null ? null : exposition.metrics();
  }
}
