package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The registered definitions: numbered revisions, pause, removal. */
public final class Definitions {
  private final DataSource dataSource;

  public Definitions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Registers a definition as the next revision; one that is equal to the present one changes
   * nothing. A change of grain, zone or set of dimensions of a pipeline with rows is refused.
   *
   * @param by who, for the record
   * @throws LedgerRefusal if it may not change that way
   */
  public Change register(PipelineDefinition definition, String by) {
    throw new UnsupportedOperationException("to be built");
  }

  /** What {@link #register} would do; changes nothing. */
  public Change preview(PipelineDefinition definition) {
    throw new UnsupportedOperationException("to be built");
  }

  /** The pipeline, unless it is not registered or removed. */
  public Optional<RegisteredPipeline> find(String name) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * The pipeline.
   *
   * @throws LedgerRefusal of kind UNKNOWN_PIPELINE, naming the known ones
   */
  public RegisteredPipeline get(String name) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Every registered pipeline, by name. */
  public List<RegisteredPipeline> all() {
    throw new UnsupportedOperationException("to be built");
  }

  /** Stops live work; backfills are not affected. Returns whether it was running. */
  public boolean pause(String name, String by) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Allows live work again. Returns whether it was paused. */
  public boolean resume(String name) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Cancels its backfills, archives its rows; outputs stay. A later registration under the name
   * starts afresh.
   */
  public void remove(String name) {
    throw new UnsupportedOperationException("to be built");
  }

  /** What a registration does. */
  public record Change(Kind kind, RegisteredPipeline pipeline, List<String> differences) {
    /** The kinds. */
    public enum Kind {
      CREATED,
      CHANGED,
      UNCHANGED
    }
  }
}
