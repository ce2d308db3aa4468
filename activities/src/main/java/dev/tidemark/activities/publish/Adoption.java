package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.HeldOutputs;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.ledger.output.TakenIn;
import dev.tidemark.activities.ledger.output.TakingIn;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.Digests;
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
import java.util.Optional;
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

  /** An output that can be adopted: the files, as they were listed. */
  public record Candidate(OutputRow row, List<StoredObject> files) {
    long bytes() {
      return files.stream().mapToLong(StoredObject::bytes).sum();
    }
  }

  /**
   * What there is to adopt of these partitions; changes nothing.
   *
   * @throws LedgerRefusal if one of them has nothing, or files of more than one attempt, or is
   *     committed
   */
  public List<Candidate> find(RegisteredPipeline pipeline, List<OutputRow> rows)
      throws IOException {
    OutputPlaces places = places(pipeline);
    List<Candidate> candidates = new ArrayList<>();
    for (Sighting sighting : OutputWalk.see(rows, places)) {
      List<StoredObject> files = files(sighting);
      check(pipeline, sighting, files);
      candidates.add(new Candidate(sighting.row(), files));
    }
    return candidates;
  }

  private static void check(
      RegisteredPipeline pipeline, Sighting sighting, List<StoredObject> files) {
    OutputRow row = sighting.row();
    if (row.commit() != null) {
      throw refused(
          pipeline, row, "is committed already; to have it made again, ask for a backfill of it");
    }
    if (files.isEmpty()) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID,
          "partition",
          "partition '%s' of %s has nothing to adopt: there is no file at %s, and no link is followed"
              .formatted(name(row), pipeline.name(), sighting.place().address()));
    }
    Optional<StoredObject> link = files.stream().filter(StoredObject::isLink).findFirst();
    if (link.isPresent()) {
      throw refused(
          pipeline,
          row,
          "has a link at %s: what it points to may change, and is not kept here; put the file itself there"
              .formatted(sighting.place().store().address(link.get().name())));
    }
    if (files.stream().mapToLong(file -> HiveLayout.token(file.base())).distinct().count() > 1) {
      throw refused(
          pipeline,
          row,
          "has parts of several attempts at %s: which of them belong together nobody can say; leave those of one"
              .formatted(sighting.place().address()));
    }
  }

  /** The parts of a folder; where none is named as one, all its plain files. */
  private static List<StoredObject> files(Sighting sighting) throws IOException {
    if (!(sighting.place().layout() instanceof HiveLayout)) {
      return List.copyOf(sighting.files());
    }
    List<StoredObject> plain =
        sighting.files().stream().filter(file -> !file.base().matches("[_.].*")).toList();
    List<StoredObject> parts =
        plain.stream().filter(file -> file.base().startsWith("part-")).toList();
    return parts.isEmpty() ? plain : parts;
  }

  /**
   * Adopts one. Its files are read before it is claimed, however long that takes; under the claim
   * they are listed once more. None of them is moved or removed.
   *
   * @param now decides, with what is closed, when it would have been due
   * @param closed the newest closed window
   * @param by who, for people
   * @throws LedgerRefusal if somebody works on the partition, or changes its files
   */
  public void adopt(
      RegisteredPipeline pipeline, Candidate candidate, Instant now, Window closed, String by)
      throws IOException {
    OutputRow row = candidate.row();
    OutputPlaces.OutputPlace where = places(pipeline).of(row.window(), row.slice());
    List<Manifest.Part> parts = parts(where, candidate);
    Claim claim =
        held.take(pipeline, row, now, closed, "adopt").orElseThrow(() -> busy(pipeline, row));
    if (!(attempts.begin(claim, 1, by) instanceof Begun begun)) {
      throw busy(pipeline, row);
    }
    try {
      checkUnchanged(pipeline, candidate);
      TakenIn taken = publish(begun, candidate, parts, now);
      if (takingIn.takeIn(pipeline, List.of(taken), claim.claimId()) != 1) {
        throw busy(pipeline, row);
      }
    } catch (IOException | SupersededException | LedgerRefusal e) {
      attempts.fail(begun.token(), FailureKind.RELEASED, "adopt: " + e.getMessage(), null);
      if (e instanceof LedgerRefusal refusal) {
        throw refusal;
      }
      if (e instanceof IOException failed && !(e instanceof OutrankedException)) {
        throw failed;
      }
      throw e instanceof OutrankedException
          ? refused(pipeline, row, "was not adopted: " + e.getMessage())
          : busy(pipeline, row);
    }
  }

  private void checkUnchanged(RegisteredPipeline pipeline, Candidate candidate) throws IOException {
    OutputRow row = candidate.row();
    for (Sighting sighting : OutputWalk.see(List.of(row), places(pipeline))) {
      if (!files(sighting).equals(candidate.files())) {
        throw refused(pipeline, row, "changed while it was read; adopt it when that has ended");
      }
    }
  }

  private TakenIn publish(Begun begun, Candidate candidate, List<Manifest.Part> parts, Instant now)
      throws IOException, SupersededException {
    OutputPlaces.OutputPlace where = places(begun.pipeline()).of(begun.window(), begun.slice());
    Manifest manifest =
        Manifest.of(begun, where.slice(), parts, null, Contents.of(null), now, createdBy);
    Layout layout = where.layout();
    StagingId id = where.staging(begun.window(), begun.token());
    try (Staging staging = where.store().stage(id)) {
      if (layout.marker() != null) {
        staging.add(Json.write(manifest), layout.marker());
      }
      new Promotion(new Publication.Place(where, id), staging, attempts).run(manifest, null);
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

  private static List<Manifest.Part> parts(OutputPlaces.OutputPlace where, Candidate candidate)
      throws IOException {
    List<Manifest.Part> parts = new ArrayList<>();
    for (StoredObject file : candidate.files()) {
      try (InputStream content = where.store().open(file.name())) {
        parts.add(new Manifest.Part(file.base(), null, file.bytes(), Digests.sha256(content)));
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
    return refused(pipeline, row, "is being worked on; adopt it when that has ended");
  }

  private static LedgerRefusal refused(RegisteredPipeline pipeline, OutputRow row, String why) {
    return new LedgerRefusal(
        LedgerRefusal.Kind.REFUSED,
        "partition",
        "partition '%s' of %s %s".formatted(name(row), pipeline.name(), why));
  }

  private static String name(OutputRow row) {
    return Stream.of(row.window().label(), row.slice().canonical())
        .filter(text -> !text.isEmpty())
        .reduce((label, slice) -> label + " of " + slice)
        .orElse("");
  }
}
