package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Each sweep's comparison of what the ledger believes with what the store holds (A15, A18, A19):
 * names and sizes of up to 10,000 partitions at each sweep, so that the whole of a larger pipeline
 * takes as many sweeps as it has tens of thousands.
 */
public final class Verification {
  static final int PARTITIONS_AT_ONCE = 10_000;

  private static final Logger log = LoggerFactory.getLogger(Verification.class);

  private final Outputs outputs;
  private final Healing healing;
  private final Stores stores;
  private final int atOnce;
  private final Map<String, SilentPlaces> silent = new ConcurrentHashMap<>();

  public Verification(OutputLedger ledger, Stores stores) {
    this(ledger, stores, PARTITIONS_AT_ONCE);
  }

  Verification(OutputLedger ledger, Stores stores, int atOnce) {
    this.outputs = ledger.outputs();
    this.healing = new Healing(ledger);
    this.stores = stores;
    this.atOnce = atOnce;
  }

  /**
   * Compares the next part and heals it. A store that cannot be asked is never an empty one: it is
   * said, nothing of what is in it changes, and the others are compared.
   */
  public void check(RegisteredPipeline pipeline) {
    OutputSpec output = pipeline.definition().output();
    if (output == null) {
      return;
    }
    try {
      check(pipeline, new OutputPlaces(pipeline.definition(), output, stores));
    } catch (IOException | IllegalArgumentException e) {
      log.warn(
          "{}: its outputs cannot be compared with the ledger ({}); nothing is taken for lost, "
              + "work goes on, and the next sweep looks again",
          pipeline.name(),
          e.toString());
    }
  }

  private void check(RegisteredPipeline pipeline, OutputPlaces places) throws IOException {
    Outputs.State state = outputs.state(pipeline);
    // The rows are read before the store: what was committed by then was in the store by then.
    Outputs.Page page = outputs.page(pipeline, Outputs.Range.ALL, state.after(), atOnce);
    if (page.rows().isEmpty() && state.after() != null) {
      state = new Outputs.State(null, 0, state.missing());
      page = outputs.page(pipeline, Outputs.Range.ALL, null, atOnce);
    }
    SilentPlaces last = silent.computeIfAbsent(pipeline.name(), name -> new SilentPlaces());
    Comparison found = Comparison.of(pipeline, page.rows(), places, Judge.Depth.NAMES, last);
    boolean believed = Comparison.isBelievable(found.missing(), found.checked());
    Healing.Healed healed = healing.heal(pipeline, found, believed);
    if (!healed.isNothing()) {
      log.info(
          "{}: {} outputs are lost and due again, {} were taken in, {} markers were written back, "
              + "{} leftovers were removed",
          pipeline.name(),
          healed.lost(),
          healed.adopted(),
          healed.restored(),
          healed.removed());
    }
    // What is in doubt in one part keeps no other part from being looked at.
    outputs.note(
        pipeline, state, page.next(), believed ? stillInDoubt(state, found) : found.missing());
    if (!found.unreached().isEmpty()) {
      log.warn(
          "{}: what is at {} cannot be compared with the ledger or healed; nothing of it is taken"
              + " for lost, work goes on, and a later sweep looks again",
          pipeline.name(),
          found.unreached().text());
    }
    if (!believed || state.missing() != null) {
      outputs.missing(pipeline).ifPresent(missing -> log.warn("{}", missing.text(pipeline.name())));
    }
  }

  /** Where nobody could look, what was in doubt before may be what is there. */
  private static int stillInDoubt(Outputs.State state, Comparison found) {
    return found.unreached().isEmpty() || state.missing() == null
        ? 0
        : Math.max(0, state.missing().count() - state.counted());
  }
}
