package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.Attempts;
import dev.tidemark.activities.ledger.Attempts.FailureKind;
import dev.tidemark.activities.ledger.Begin;
import dev.tidemark.activities.ledger.Begin.Begun;
import dev.tidemark.activities.ledger.HeldOutputs;
import dev.tidemark.activities.ledger.LedgerRefusal;
import dev.tidemark.activities.ledger.OutputLedger;
import dev.tidemark.activities.ledger.OutputRow;
import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.activities.ledger.TakenIn;
import dev.tidemark.activities.ledger.TakingIn;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoredObject;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Declares outputs that were made elsewhere complete: writes their markers by the publish protocol,
 * under a claim and a token like any attempt, so that it meets no other.
 */
public final class Adoption {
  private final HeldOutputs held;
  private final TakingIn takingIn;
  private final Attempts attempts;
  private final Stores stores;
  private final String createdBy;

  /**
   * @param version of Tidemark, for manifests
   */
  public Adoption(OutputLedger ledger, Attempts attempts, Stores stores, String version) {
    this.held = ledger.held();
    this.takingIn = ledger.takingIn();
    this.attempts = attempts;
    this.stores = stores;
    this.createdBy = "tidemark " + version;
  }

  /** An output that can be adopted. */
  public record Candidate(OutputRow row, List<StoredObject> files) {
    long bytes() {
      return files.stream().mapToLong(StoredObject::bytes).sum();
    }
  }

  /**
   * What there is to adopt of these partitions; changes nothing.
   *
   * @throws LedgerRefusal if one of them has nothing, or is worked on
   */
  public List<Candidate> find(RegisteredPipeline pipeline, List<OutputRow> rows)
      throws IOException {
    OutputPlaces places = places(pipeline);
    List<Candidate> candidates = new ArrayList<>();
    for (Sighting sighting : OutputWalk.see(rows, places)) {
      List<StoredObject> files = files(sighting);
      if (files.isEmpty()) {
        throw new LedgerRefusal(
            LedgerRefusal.Kind.INVALID,
            "partition",
            "partition '%s' of %s has nothing to adopt: there is no file at %s"
                .formatted(name(sighting.row()), pipeline.name(), sighting.place().address()));
      }
      candidates.add(new Candidate(sighting.row(), files));
    }
    return candidates;
  }

  /** The parts of a folder; where none is named as one, all its plain files. */
  private static List<StoredObject> files(Sighting sighting) {
    if (!(sighting.place().layout() instanceof HiveLayout)) {
      return List.copyOf(sighting.files());
    }
    List<StoredObject> plain =
        sighting.files().stream().filter(file -> !base(file).matches("[_.].*")).toList();
    List<StoredObject> parts =
        plain.stream().filter(file -> base(file).startsWith("part-")).toList();
    return parts.isEmpty() ? plain : parts;
  }

  private static String base(StoredObject file) {
    return file.name().substring(file.name().lastIndexOf('/') + 1);
  }

  /**
   * Adopts one.
   *
   * @param now decides, with what is closed, when it would have been due
   * @param closed the newest closed window
   * @param by who, for people
   * @throws LedgerRefusal if somebody works on the partition
   */
  public void adopt(
      RegisteredPipeline pipeline, Candidate candidate, Instant now, Window closed, String by)
      throws IOException {
    Claim claim =
        held.take(pipeline, candidate.row(), now, closed, "adopt")
            .orElseThrow(() -> busy(pipeline, candidate.row()));
    Begin begin = attempts.begin(claim, 1, by);
    if (!(begin instanceof Begun begun)) {
      throw busy(pipeline, candidate.row());
    }
    try {
      TakenIn taken = publish(begun, candidate, now);
      if (takingIn.takeIn(pipeline, List.of(taken), claim.claimId()) != 1) {
        throw busy(pipeline, candidate.row());
      }
    } catch (IOException | SupersededException e) {
      attempts.fail(begun.token(), FailureKind.RELEASED, "adopt: " + e.getMessage(), null);
      if (e instanceof IOException failed) {
        throw failed;
      }
      throw busy(pipeline, candidate.row());
    }
  }

  private TakenIn publish(Begun begun, Candidate candidate, Instant now)
      throws IOException, SupersededException {
    OutputPlaces.OutputPlace where = places(begun.pipeline()).of(begun.window(), begun.slice());
    List<Manifest.Part> parts = parts(begun, where, candidate);
    Manifest manifest = Manifest.of(begun, parts, null, null, now, createdBy);
    Layout layout = where.layout();
    StagingId id =
        new StagingId(
            layout.stagingArea(),
            Publisher.partitionId(begun.window(), begun.slice()),
            begun.token());
    try (Staging staging = where.store().stage(id)) {
      if (layout.marker() != null) {
        staging.add(Json.write(manifest), layout.marker());
      }
      new Promotion(new Publication.Place(where.store(), layout, id), staging, attempts)
          .run(manifest, List.of());
    }
    return new TakenIn(
        candidate.row(),
        begun.token(),
        TakenIn.Versions.UNKNOWN,
        new TakenIn.Made(
            null,
            begun.context().closedThrough(),
            null,
            begun.pipeline().revision(),
            begun.pipeline().fingerprint()),
        new TakenIn.Size(
            layout instanceof HiveLayout ? null : 1, candidate.bytes(), null, manifest.content()),
        where.address());
  }

  private List<Manifest.Part> parts(
      Begun begun, OutputPlaces.OutputPlace where, Candidate candidate) throws IOException {
    List<Manifest.Part> parts = new ArrayList<>();
    for (StoredObject file : candidate.files()) {
      // Reading may take long, and the claim is to last.
      attempts.renew(Set.of(begun.token()));
      try (InputStream content = where.store().open(file.name())) {
        parts.add(new Manifest.Part(base(file), null, file.bytes(), Digests.sha256(content)));
      }
    }
    return parts;
  }

  private OutputPlaces places(RegisteredPipeline pipeline) {
    OutputSpec output = pipeline.definition().output();
    if (output == null) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID,
          "pipeline",
          "pipeline '%s' has no output to adopt: its task owns what it makes"
              .formatted(pipeline.name()));
    }
    return new OutputPlaces(pipeline.definition(), output, stores);
  }

  private static LedgerRefusal busy(RegisteredPipeline pipeline, OutputRow row) {
    return new LedgerRefusal(
        LedgerRefusal.Kind.REFUSED,
        "partition",
        "partition '%s' of %s is being worked on; adopt it when that has ended"
            .formatted(name(row), pipeline.name()));
  }

  private static String name(OutputRow row) {
    return Stream.of(row.window().label(), row.slice().canonical())
        .filter(text -> !text.isEmpty())
        .reduce((label, slice) -> label + " of " + slice)
        .orElse("");
  }
}
