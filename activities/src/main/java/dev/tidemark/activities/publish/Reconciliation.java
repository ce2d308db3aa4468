package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The full comparison of ledger and store: every output, every marker, every size, and on demand
 * every content. It is what each sweep does, over all of it and closely; memory stays flat.
 */
public final class Reconciliation {
  private static final int PARTITIONS_AT_ONCE = 5_000;

  private final Outputs outputs;
  private final Healing healing;
  private final Stores stores;

  public Reconciliation(OutputLedger ledger, Stores stores) {
    this.outputs = ledger.outputs();
    this.healing = new Healing(ledger);
    this.stores = stores;
  }

  /**
   * What is compared, and how.
   *
   * @param from first window, null for no bound
   * @param to last window, inclusive, null for no bound
   * @param checksums whether the contents of all files are read too
   * @param confirmed whether outputs are made due again however many are missing at once
   */
  public record Request(
      @Nullable Window from, @Nullable Window to, boolean checksums, boolean confirmed) {
    /** Everything, but for contents. */
    public static final Request ALL = new Request(null, null, false, false);

    private Outputs.Range range() {
      return new Outputs.Range(from == null ? null : from.start(), to == null ? null : to.start());
    }

    private boolean isWhole() {
      return from == null && to == null;
    }
  }

  /**
   * What was found and done.
   *
   * @param checked outputs that the ledger has
   * @param lost due again
   * @param adopted taken into the ledger
   * @param restored whose markers were written back
   * @param stale made with an older definition, or by another attempt than the ledger had
   * @param orphansRemoved files and old stagings that belong to no output
   * @param missing not there, and so many at once that a person must confirm it; 0 if they are due.
   *     Where that shows in names and sizes nothing else was done; where only in markers or
   *     contents, the other counts say what was
   */
  public record Reconciled(
      int checked,
      int lost,
      int adopted,
      int restored,
      int stale,
      int orphansRemoved,
      int missing) {}

  /**
   * Compares and heals. Where too much is missing to be believed, none of it is made due again.
   *
   * @throws IOException if a store cannot say, once all others are compared and healed
   * @throws IllegalArgumentException if the pipeline has no output
   */
  public Reconciled run(RegisteredPipeline pipeline, Request request) throws IOException {
    OutputSpec output = pipeline.definition().output();
    if (output == null) {
      throw new IllegalArgumentException(
          "pipeline '"
              + pipeline.name()
              + "' has no output: its task owns what it makes, and Tidemark cannot compare it");
    }
    OutputPlaces places = new OutputPlaces(pipeline.definition(), output, stores);
    if (!request.confirmed()) {
      Tally names = compare(pipeline, request, places, Judge.Depth.NAMES, null);
      if (!Comparison.isBelievable(names.missing, names.checked)) {
        outputs.noteAll(pipeline, names.missing);
        return new Reconciled(names.checked, 0, 0, 0, 0, 0, names.missing);
      }
    }
    Judge.Depth depth = request.checksums() ? Judge.Depth.CONTENTS : Judge.Depth.MARKERS;
    Tally tally = compare(pipeline, request, places, depth, healing);
    // Who confirms has decided about all that is missing, whatever store is away meanwhile.
    if (tally.held > 0
        || (request.isWhole() && (request.confirmed() || tally.unreached.isEmpty()))) {
      outputs.noteAll(pipeline, tally.held);
    }
    Healing.Healed healed = tally.healed;
    int stagings = places.removeAbandoned(tally.unreached);
    tally.unreached.require(pipeline.name());
    return new Reconciled(
        tally.checked,
        healed.lost(),
        healed.adopted(),
        healed.restored(),
        tally.stale,
        healed.removed() + stagings,
        tally.held);
  }

  private Tally compare(
      RegisteredPipeline pipeline,
      Request request,
      OutputPlaces places,
      Judge.Depth depth,
      @Nullable Healing heal)
      throws IOException {
    Tally tally = new Tally();
    SilentPlaces silent = new SilentPlaces();
    Outputs.Place after = null;
    do {
      Outputs.Page page = outputs.page(pipeline, request.range(), after, PARTITIONS_AT_ONCE);
      Comparison found = Comparison.of(pipeline, page.rows(), places, depth, silent);
      tally.add(found);
      if (heal != null) {
        // Looked at closely, more may be missing than by their names.
        boolean believed =
            request.confirmed() || Comparison.isBelievable(found.missing(), found.checked());
        tally.held += believed ? 0 : found.missing();
        tally.healed = tally.healed.plus(heal.heal(pipeline, found, believed));
      }
      tally.unreached.addAll(found.unreached());
      after = page.next();
    } while (after != null);
    return tally;
  }

  private static final class Tally {
    private int checked;
    private int missing;
    private int stale;
    private int held;
    private final Unreached unreached = new Unreached();
    private Healing.Healed healed = Healing.Healed.NOTHING;

    private void add(Comparison found) {
      checked += found.checked();
      missing += found.missing();
      stale += found.stale();
    }
  }
}
