package dev.tidemark.worker.definition;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A definition as far as it could be read, so that the rules find every problem at once and not
 * only the first.
 *
 * @param partitions null where it could not be read; rules that need it are then left out
 * @param task null where it could not be read
 * @param output null where there is none, or it could not be read
 */
public record Draft(
    @Nullable Partitioning partitions,
    Space space,
    List<InputSpec> inputs,
    Integration integration,
    Pace pace,
    @Nullable TaskSpec task,
    @Nullable OutputSpec output) {
  public Draft {
    inputs = List.copyOf(inputs);
  }

  /** What an {@code Extent} has besides its partitioning. */
  public record Space(
      List<SliceSet> slices,
      @Nullable String account,
      @Nullable AccountId accountId,
      Closure closure,
      @Nullable Period keep) {
    public Space {
      slices = List.copyOf(slices);
    }

    /** All of it, once the partitioning is known. */
    public Extent extent(Partitioning partitions) {
      return new Extent(partitions, slices, account, accountId, closure, keep);
    }
  }

  /** Every rule that it breaks; empty for a good one. */
  public List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    Dimensions dimensions = Dimensions.of(space.slices());
    Dimensions outside = dimensions.without(AccountIdRules.column(this));
    ExtentRules.check(this, dimensions, found);
    AccountRules.check(this, dimensions, found);
    AccountIdRules.check(this, dimensions, found);
    PaceRules.check(this, found);
    TextRules.check(this, dimensions, found);
    OutputRules.check(this, outside, found);
    if (task instanceof TaskSpec.Export export) {
      ExportRules.check(export, this, outside, found);
    }
    if (task instanceof TaskSpec.Foreign foreign) {
      ForeignRules.check(foreign, found);
    }
    return found;
  }
}
