package dev.tidemark.worker.plugin;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline declared in Java (contracts, section 6): its definition, and the Java objects bound to
 * it. Immutable. Says the same as the file, with the same defaults and the same rules.
 */
public final class Pipeline {
  private final PipelineDefinition definition;
  private final Bound bound;

  /** What is no part of a definition. */
  record Bound(
      @Nullable PartitionTask task,
      @Nullable ChangeDetector detector,
      @Nullable AccountKey accountKey) {}

  Pipeline(PipelineDefinition definition, Bound bound) {
    this.definition = definition;
    this.bound = bound;
  }

  /** Starts the declaration of a pipeline: next, say what its windows are. */
  public static Windows named(String name) {
    return new Windows(name);
  }

  /** What is registered in the ledger. */
  public PipelineDefinition definition() {
    return definition;
  }

  public String name() {
    return definition.name();
  }

  /** The task given as an object: a {@code TaskSpec.Java} whose type is the pipeline's name. */
  public Optional<PartitionTask> task() {
    return Optional.ofNullable(bound.task());
  }

  /** The detector given as an object: an {@code InputSpec.Custom} of the pipeline's name. */
  public Optional<ChangeDetector> detector() {
    return Optional.ofNullable(bound.detector());
  }

  /** The key that accounts are hashed with: the definition has its check. */
  Optional<AccountKey> accountKey() {
    return Optional.ofNullable(bound.accountKey());
  }

  /** The choice of the windows' length, by the calendar of a zone. */
  public static final class Windows {
    private final String name;

    private Windows(String name) {
      this.name = name;
    }

    public PipelineBuilder quarterHourly(ZoneId zone) {
      return every(Grain.QUARTER_HOUR, zone);
    }

    public PipelineBuilder hourly(ZoneId zone) {
      return every(Grain.HOUR, zone);
    }

    public PipelineBuilder daily(ZoneId zone) {
      return every(Grain.DAY, zone);
    }

    public PipelineBuilder weekly(ZoneId zone) {
      return every(Grain.WEEK, zone);
    }

    public PipelineBuilder monthly(ZoneId zone) {
      return every(Grain.MONTH, zone);
    }

    public PipelineBuilder quarterly(ZoneId zone) {
      return every(Grain.QUARTER, zone);
    }

    public PipelineBuilder yearly(ZoneId zone) {
      return every(Grain.YEAR, zone);
    }

    /** Windows of the grain. */
    public PipelineBuilder every(Grain grain, ZoneId zone) {
      return new PipelineBuilder(name, grain, zone);
    }
  }
}
