package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.HeldOutputs;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.ledger.output.TakenIn;
import dev.tidemark.activities.ledger.output.TakingIn;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes ledger and store agree again, by the outputs wherever they are whole. */
final class Healing {
  private static final int BATCH = 1_000;

  private final Outputs outputs;
  private final TakingIn takingIn;
  private final HeldOutputs held;

  Healing(OutputLedger ledger) {
    this.outputs = ledger.outputs();
    this.takingIn = ledger.takingIn();
    this.held = ledger.held();
  }

  /**
   * What was done.
   *
   * @param lost due again
   * @param adopted taken in, or back
   * @param restored whose marker was written back
   * @param removed leftovers of earlier attempts
   */
  record Healed(int lost, int adopted, int restored, int removed) {
    static final Healed NOTHING = new Healed(0, 0, 0, 0);

    Healed plus(Healed other) {
      return new Healed(
          lost + other.lost,
          adopted + other.adopted,
          restored + other.restored,
          removed + other.removed);
    }

    boolean isNothing() {
      return equals(NOTHING);
    }
  }

  /**
   * Heals what was found; a store that takes nothing is noted, and left as it is.
   *
   * @param mayLose whether what is missing is to be believed; else it is left as it is
   */
  Healed heal(RegisteredPipeline pipeline, Comparison found, boolean mayLose) {
    // Before anything is taken in: what comes next must be newer than all that is there.
    long newest = found.newestUnknownToken();
    if (newest >= 0) {
      takingIn.raise(newest);
    }
    int adopted =
        takeIn(pipeline, found) + outputs.mark(rows(found.verdicts(Verdict.Kind.BACK)), false);
    int removed = removeLeftovers(found);
    if (!mayLose) {
      return new Healed(0, adopted, 0, removed);
    }
    List<OutputRow> lost = new ArrayList<>();
    found.verdicts(Verdict.Kind.LOST).forEach(verdict -> lost.add(verdict.sighting().row()));
    lost.removeIf(OutputRow::lost);
    int restored = 0;
    int unrestored = 0;
    for (Verdict verdict : found.verdicts(Verdict.Kind.UNMARKED)) {
      Sighting sighting = verdict.sighting();
      String location = sighting.place().location();
      if (found.unreached().has(location)) {
        continue;
      }
      Optional<HeldOutputs.Held> row = held.takeCommitted(sighting.row());
      try {
        if (row.isEmpty()) {
          lost.add(sighting.row());
        } else if (restore(row.get(), sighting)) {
          restored++;
        } else {
          unrestored++;
        }
      } catch (IOException e) {
        found.unreached().add(location, e);
      }
    }
    return new Healed(outputs.mark(lost, true) + unrestored, adopted, restored, removed);
  }

  private int takeIn(RegisteredPipeline pipeline, Comparison found) {
    List<TakenIn> all = new ArrayList<>();
    for (Verdict verdict : found.verdicts(Verdict.Kind.TAKE_IN)) {
      if (verdict.takenIn() != null) {
        all.add(verdict.takenIn());
      }
    }
    int taken = 0;
    for (int from = 0; from < all.size(); from += BATCH) {
      taken +=
          takingIn.takeIn(pipeline, all.subList(from, Math.min(all.size(), from + BATCH)), null);
    }
    return taken;
  }

  private static List<OutputRow> rows(List<Verdict> verdicts) {
    return verdicts.stream().map(verdict -> verdict.sighting().row()).toList();
  }

  /** Of outputs that are whole. Who runs now has a larger token: nothing of it is touched. */
  private static int removeLeftovers(Comparison found) {
    int removed = 0;
    for (Verdict verdict : found.verdicts()) {
      if (verdict.kind() == Verdict.Kind.SAME || verdict.kind() == Verdict.Kind.BACK) {
        removed += removeLeftovers(verdict.sighting(), found.unreached());
      }
    }
    return removed;
  }

  private static int removeLeftovers(Sighting sighting, Unreached unreached) {
    String location = sighting.place().location();
    int removed = 0;
    for (String name : sighting.leftovers()) {
      if (!unreached.has(location)) {
        try {
          sighting.place().store().delete(name);
          removed++;
        } catch (IOException e) {
          unreached.add(location, e);
        }
      }
    }
    return removed;
  }

  /** Writes the marker back, if its parts are there; else the output is lost. */
  private boolean restore(HeldOutputs.Held row, Sighting sighting) throws IOException {
    Boolean lost = null;
    try {
      Optional<Manifest> manifest = recorded(row, sighting);
      boolean restored = manifest.isPresent() && write(row, manifest.get(), sighting);
      lost = !restored;
      return restored;
    } finally {
      held.release(row, lost);
    }
  }

  private static Optional<Manifest> recorded(HeldOutputs.Held row, Sighting sighting)
      throws IOException {
    Optional<Manifest> manifest =
        Intent.parse(row.intent())
            .filter(intent -> intent.output().equals(sighting.place().address()))
            .map(Intent::manifest);
    boolean isWhole = manifest.isPresent() && FoundManifest.hasFiles(manifest.get(), sighting);
    return isWhole ? manifest : Optional.empty();
  }

  private boolean write(HeldOutputs.Held row, Manifest manifest, Sighting sighting)
      throws IOException {
    String marker = sighting.place().layout().marker();
    if (marker == null) {
      return false;
    }
    OutputRow output = sighting.row();
    StagingId id = sighting.place().staging(output.window(), manifest.token());
    try (Staging staging = sighting.place().store().stage(id)) {
      staging.add(Json.write(manifest), marker);
      // No intent tells of this upload, so that no attempt could abort it: only the claim does it.
      return held.renew(row) && staging.promoteIfAbsent(marker);
    }
  }
}
