package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.Digests;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.workflows.partition.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The publication of one attempt's output: staged where no reader looks, then made visible so that
 * a reader who follows the reading protocol sees all of it or none (the publish protocol of the
 * design; the steps are numbered as there). Closing it removes whatever was not published.
 */
public final class Publication implements AutoCloseable {
  private final Place place;
  private final Staging staging;
  private final Attempts attempts;
  private final Begun begun;
  private final Clock clock;
  private final String createdBy;

  /** Where: the store, the partition's names in it, and the attempt's staging. */
  record Place(OutputPlaces.OutputPlace output, StagingId id) {
    OutputStore store() {
      return output.store();
    }

    Layout layout() {
      return output.layout();
    }
  }

  Publication(Place place, Attempts attempts, Begun begun, Clock clock, String createdBy) {
    this.place = place;
    this.staging = place.store().stage(place.id());
    this.attempts = attempts;
    this.begun = begun;
    this.clock = clock;
    this.createdBy = createdBy;
  }

  /** The attempt's slice, as the output has it. */
  public Slice slice() {
    return place.output().slice();
  }

  /** The task's output folder: empty and private. */
  public Path folder() throws IOException {
    return staging.folder();
  }

  /** Where a task in another process writes its files, for {@link #take}. */
  public String share() throws IOException {
    return staging.share();
  }

  /** What such a task wrote is in the folder from now on, and removed at the end. */
  public void take() {
    staging.take();
  }

  /**
   * Whether the folder holds just these files, in any order.
   *
   * @throws RefusedOutputException if it does not
   */
  public void expect(List<String> names) throws IOException, RefusedOutputException {
    OutputFiles.expect(staging.folder(), names);
  }

  /**
   * The commit of an earlier attempt that ended between its publishing and its settling: the output
   * in the store is the one that it was about to publish.
   */
  public Optional<EarlierCommit> earlierCommit(String recordedIntent) throws IOException {
    Optional<Intent> intent =
        // Of a version that wrote intents in another way it is run again, which is always right.
        Intent.parse(recordedIntent).filter(recorded -> recorded.output().equals(address()));
    if (intent.isEmpty() || !isPublished(intent.get().manifest())) {
      return Optional.empty();
    }
    return Optional.of(new EarlierCommit(intent.get().manifest(), address()));
  }

  private boolean isPublished(Manifest manifest) throws IOException {
    String marker = place.layout().marker();
    if (marker != null) {
      return Promotion.markerToken(place.store(), marker)
          .filter(token -> token == manifest.token())
          .isPresent();
    }
    try (InputStream content = place.store().open(place.layout().output())) {
      return Digests.sha256(content).equals(manifest.files().get(0).sha256());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Publishes what is in the folder.
   *
   * @param inputVersion the version that was read, null where there are no inputs
   * @param contents what the task knows of it
   * @throws SupersededException if the token is no longer the newest; nothing of a later attempt
   *     was touched
   * @throws IOException if the store fails, {@link java.nio.file.AtomicMoveNotSupportedException}
   *     if it has no atomic moves
   */
  public Committed publish(@Nullable String inputVersion, Contents contents)
      throws IOException, RefusedOutputException, SupersededException {
    List<Path> files = staging.isUsed() ? OutputFiles.in(staging.folder()) : List.of();
    Layout layout = place.layout();
    // 1. Stage everything, durably; 2 to 7 make it visible.
    Staged staged = stage(files, inputVersion, contents);
    if (layout.marker() != null) {
      staging.add(Json.write(staged.manifest()), layout.marker());
    }
    new Promotion(place, staging, attempts).run(staged.manifest(), staged.targets());
    Manifest manifest = staged.manifest();
    return new Committed(
        address(),
        manifest.content(),
        manifest.rows(),
        manifest.bytes(),
        manifest.files().size(),
        null);
  }

  private Staged stage(List<Path> files, @Nullable String inputVersion, Contents contents)
      throws IOException, RefusedOutputException {
    if (!(place.layout() instanceof HiveLayout) && files.size() != 1) {
      throw new RefusedOutputException(
          "layout file takes exactly one file; the task left "
              + OutputFiles.list(OutputFiles.names(files)));
    }
    List<Manifest.Part> parts = new ArrayList<>();
    List<String> targets = new ArrayList<>();
    for (Path file : files) {
      long bytes = Files.size(file);
      String name = file.getFileName().toString();
      String target = target(parts.size(), name);
      String sha256 = staging.add(file, target);
      targets.add(target);
      parts.add(
          new Manifest.Part(
              target.substring(target.lastIndexOf('/') + 1),
              contents.rowsByFile().get(name),
              bytes,
              sha256));
    }
    Manifest manifest =
        Manifest.of(
            begun,
            place.output().slice(),
            parts,
            inputVersion,
            contents,
            clock.instant(),
            createdBy);
    if (place.layout() instanceof HiveLayout hive) {
      targets.addAll(stageCompanions(hive, contents.companions(), manifest));
    }
    return new Staged(manifest, targets);
  }

  private List<String> stageCompanions(
      HiveLayout hive, Contents.Companions companions, Manifest manifest) throws IOException {
    List<String> targets = new ArrayList<>();
    Map<String, String> texts = companions.of(address(), output(hive, manifest));
    for (Map.Entry<String, String> text : texts.entrySet()) {
      String target = hive.output() + "/" + text.getKey();
      staging.add(text.getValue(), target);
      targets.add(target);
    }
    return targets;
  }

  private PublishedOutput output(HiveLayout hive, Manifest manifest) {
    return PublishedOutput.of(
        manifest, part -> place.store().address(hive.output() + "/" + part.name()));
  }

  private String target(int index, String name) {
    return place.layout() instanceof HiveLayout hive
        ? hive.output() + "/" + hive.part(index, begun.token(), OutputFiles.extension(name))
        : place.layout().output();
  }

  private String address() {
    return place.store().address(place.layout().output());
  }

  @Override
  public void close() throws IOException {
    staging.close();
  }

  private record Staged(Manifest manifest, List<String> targets) {}

  /**
   * An output that an earlier attempt published and did not settle.
   *
   * @param inputVersion the version that it read
   * @param beganAt when that attempt began
   */
  public record EarlierCommit(Committed committed, @Nullable String inputVersion, Instant beganAt) {
    private EarlierCommit(Manifest manifest, String address) {
      this(
          new Committed(
              address,
              manifest.content(),
              manifest.rows(),
              manifest.bytes(),
              manifest.files().size(),
              manifest.token()),
          manifest.inputVersion(),
          Instant.parse(manifest.attemptBeganAt()));
    }
  }
}
