package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.ledger.output.TakenIn;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Says what is to be done about what a walk saw, and reads markers where names do not tell. */
final class Judge {
  private final RegisteredPipeline pipeline;
  private final Depth depth;

  /** How closely outputs are looked at. */
  enum Depth {
    /** Names and listed sizes. */
    NAMES,
    /** Every marker too. */
    MARKERS,
    /** Every file's content too. */
    CONTENTS
  }

  Judge(RegisteredPipeline pipeline, Depth depth) {
    this.pipeline = pipeline;
    this.depth = depth;
  }

  /** Whether the store must be asked for more than its listing. */
  boolean reads(Sighting sighting) {
    return switch (sighting.finding()) {
      case UNKNOWN, OTHER -> true;
      case SAME, BACK -> depth != Depth.NAMES && sighting.row().commit() != null;
      case UNMARKED, GONE -> false;
    };
  }

  Verdict judge(Sighting sighting) throws IOException {
    return switch (sighting.finding()) {
      case SAME, BACK -> closely(sighting);
      case UNMARKED -> Verdict.of(sighting, Verdict.Kind.UNMARKED);
      case GONE -> Verdict.of(sighting, Verdict.Kind.LOST);
      case OTHER -> another(sighting);
      case UNKNOWN -> unknown(sighting);
    };
  }

  private Verdict unknown(Sighting sighting) throws IOException {
    if (sighting.place().layout().marker() == null) {
      return Verdict.takeIn(withoutFacts(sighting), sighting, false);
    }
    return FoundManifest.read(pipeline, sighting)
        .map(found -> takeIn(found, sighting, false))
        .orElseGet(() -> Verdict.of(sighting, Verdict.Kind.SAME));
  }

  private Verdict takeIn(FoundManifest found, Sighting sighting, boolean isOther) {
    boolean isOlder = !pipeline.fingerprint().equals(found.manifest().definition());
    return Verdict.takeIn(found.takenIn(pipeline), sighting, isOther || isOlder);
  }

  /** A file found without facts is complete, of unknown version. */
  private static TakenIn withoutFacts(Sighting sighting) throws IOException {
    return new TakenIn(
        sighting.row(),
        null,
        TakenIn.Versions.UNKNOWN,
        TakenIn.Made.UNKNOWN,
        new TakenIn.Size(1, sighting.files().get(0).bytes(), null, null),
        sighting.place().address());
  }

  /** What stands in the place of a commit: a later one, of which this ledger has not heard. */
  private Verdict another(Sighting sighting) throws IOException {
    OutputRow.Commit commit = commit(sighting);
    return FoundManifest.read(pipeline, sighting)
        .filter(found -> found.manifest().token() > commit.token())
        .map(found -> takeIn(found, sighting, true))
        .orElseGet(() -> Verdict.of(sighting, Verdict.Kind.LOST));
  }

  private Verdict closely(Sighting sighting) throws IOException {
    // It may have been lost for its content, so that names and sizes do not bring it back.
    boolean isBack = sighting.finding() == Sighting.Finding.BACK && depth == Depth.CONTENTS;
    Verdict.Kind kind = isBack ? Verdict.Kind.BACK : Verdict.Kind.SAME;
    if (depth == Depth.NAMES || sighting.row().commit() == null) {
      return Verdict.of(sighting, Verdict.Kind.SAME);
    }
    OutputRow.Commit commit = commit(sighting);
    boolean isOlder =
        commit.definition() != null && !commit.definition().equals(pipeline.fingerprint());
    if (sighting.place().layout().marker() == null) {
      boolean lost = depth == Depth.CONTENTS && !hasContent(sighting, commit);
      return new Verdict(sighting, lost ? Verdict.Kind.LOST : kind, null, isOlder);
    }
    Optional<FoundManifest> found = FoundManifest.read(pipeline, sighting);
    if (found.isEmpty()) {
      return new Verdict(sighting, Verdict.Kind.LOST, null, isOlder);
    }
    if (found.get().manifest().token() != commit.token()) {
      return another(sighting);
    }
    boolean lost = depth == Depth.CONTENTS && !found.get().hasContents();
    return new Verdict(sighting, lost ? Verdict.Kind.LOST : kind, null, isOlder);
  }

  /** Of layout file, where the ledger alone has the hash. */
  private static boolean hasContent(Sighting sighting, OutputRow.Commit commit) throws IOException {
    if (commit.content() == null || sighting.place().layout() instanceof HiveLayout) {
      return true;
    }
    try (InputStream content = sighting.place().store().open(sighting.place().layout().output())) {
      return Digests.sha256(Digests.sha256(content) + "\n").equals(commit.content());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static OutputRow.Commit commit(Sighting sighting) {
    OutputRow.Commit commit = sighting.row().commit();
    if (commit == null) {
      throw new IllegalStateException(sighting.row().window().label() + " was never committed");
    }
    return commit;
  }
}
