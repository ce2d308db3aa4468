package dev.tidemark.activities.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.activities.ledger.Attempts;
import dev.tidemark.activities.ledger.Attempts.Committed;
import dev.tidemark.activities.ledger.Begin.Begun;
import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  record Place(OutputStore store, Layout layout, StagingId id) {}

  Publication(Place place, Attempts attempts, Begun begun, Clock clock, String createdBy) {
    this.place = place;
    this.staging = place.store().stage(place.id());
    this.attempts = attempts;
    this.begun = begun;
    this.clock = clock;
    this.createdBy = createdBy;
  }

  /** The task's output folder: empty and private. */
  public Path folder() throws IOException {
    return staging.folder();
  }

  /**
   * The commit of an earlier attempt that ended between its publishing and its settling: the output
   * in the store is the one that it was about to publish.
   */
  public Optional<EarlierCommit> earlierCommit(String recordedIntent) throws IOException {
    Intent intent;
    try {
      intent = Json.read(recordedIntent, Intent.class);
    } catch (JsonProcessingException e) {
      // Of a version that wrote intents in another way: it is run again, which is always right.
      return Optional.empty();
    }
    boolean published = intent.output().equals(address()) && isPublished(intent.manifest());
    return published
        ? Optional.of(new EarlierCommit(intent.manifest(), address()))
        : Optional.empty();
  }

  private boolean isPublished(Manifest manifest) throws IOException {
    String marker = place.layout().marker();
    if (marker != null) {
      Optional<Long> token = markerToken(marker);
      return token.isPresent() && token.get() == manifest.token();
    }
    try (InputStream content = place.store().open(place.layout().output())) {
      return Digests.sha256(content).equals(manifest.files().get(0).sha256());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private Optional<Long> markerToken(String marker) throws IOException {
    Optional<StoredText> found = place.store().read(marker);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Json.read(found.get().text(), Manifest.class).token());
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * Publishes what is in the folder.
   *
   * @param inputVersion the version that was read, null where there are no inputs
   * @param rows as the task counted them, null if it did not
   * @throws SupersededException if the token is no longer the newest; nothing of a later attempt
   *     was touched
   * @throws IOException if the store fails, {@link java.nio.file.AtomicMoveNotSupportedException}
   *     if it has no atomic moves
   */
  public Committed publish(@Nullable String inputVersion, @Nullable Long rows)
      throws IOException, RefusedOutputException, SupersededException {
    List<Path> files = staging.isUsed() ? OutputFiles.in(staging.folder()) : List.of();
    Layout layout = place.layout();
    // 1. Stage everything, durably.
    Staged staged = stage(files, inputVersion, rows);
    if (layout.marker() != null) {
      staging.add(Json.write(staged.manifest()), layout.marker());
    }
    // 2. Record the intent.
    if (!attempts.intend(
        begun.token(), Json.write(new Intent(address(), staged.manifest(), staging.uploads())))) {
      throw new SupersededException("record what it is about to publish");
    }
    // 3. Earlier attempts lose what they have staged.
    place.store().endEarlier(place.id(), List.of());
    try {
      promote(staged.targets());
    } catch (NoSuchFileException e) {
      checkHeld("promote what it had staged, which is gone");
      throw e;
    }
    Manifest manifest = staged.manifest();
    return new Committed(address(), manifest.content(), manifest.rows(), manifest.bytes());
  }

  private void promote(List<String> targets) throws IOException, SupersededException {
    OutputStore store = place.store();
    String marker = place.layout().marker();
    // 4. From here on a reader finds the partition absent, never mixed.
    if (marker != null) {
      checkHeld("remove the old marker");
      store.delete(marker);
    }
    // 5.
    checkHeld("promote its files");
    staging.promote(targets);
    // 6.
    if (place.layout() instanceof HiveLayout hive) {
      checkHeld("remove the files of earlier attempts");
      removeStale(hive);
    }
    // 7.
    if (marker != null) {
      promoteMarker(marker);
    }
  }

  private void removeStale(HiveLayout hive) throws IOException {
    String folder = hive.output() + "/";
    List<String> stale = new ArrayList<>();
    place
        .store()
        .walk(
            folder,
            null,
            object -> {
              if (HiveLayout.isStale(object.name().substring(folder.length()), begun.token())) {
                stale.add(object.name());
              }
              return true;
            });
    for (String name : stale) {
      place.store().delete(name);
    }
  }

  private void promoteMarker(String marker) throws IOException, SupersededException {
    // An earlier attempt may have slipped its marker in; its staging is gone, so it does so once.
    for (int i = 0; i < 3; i++) {
      checkHeld("promote its marker");
      if (staging.promoteIfAbsent(marker)) {
        return;
      }
      Optional<Long> token = markerToken(marker);
      if (token.isPresent() && token.get() == begun.token()) {
        return;
      }
      checkHeld("remove an earlier attempt's marker");
      place.store().delete(marker);
    }
    throw new IOException(place.store().address(marker) + " keeps appearing by another's hand");
  }

  private void checkHeld(String step) throws SupersededException {
    if (!attempts.holds(begun.token())) {
      throw new SupersededException(step);
    }
  }

  private Staged stage(List<Path> files, @Nullable String inputVersion, @Nullable Long rows)
      throws IOException, RefusedOutputException {
    if (!(place.layout() instanceof HiveLayout) && files.size() != 1) {
      throw new RefusedOutputException(
          "layout file takes exactly one file; the task left "
              + files.stream().map(file -> file.getFileName().toString()).toList());
    }
    List<Manifest.Part> parts = new ArrayList<>();
    List<String> targets = new ArrayList<>();
    for (Path file : files) {
      long bytes = Files.size(file);
      String target = target(parts.size(), file.getFileName().toString());
      String sha256 = staging.add(file, target);
      targets.add(target);
      parts.add(
          new Manifest.Part(target.substring(target.lastIndexOf('/') + 1), null, bytes, sha256));
    }
    return new Staged(manifest(parts, inputVersion, rows), targets);
  }

  private String target(int index, String name) {
    return place.layout() instanceof HiveLayout hive
        ? hive.output() + "/" + hive.part(index, begun.token(), OutputFiles.extension(name))
        : place.layout().output();
  }

  private Manifest manifest(
      List<Manifest.Part> parts, @Nullable String inputVersion, @Nullable Long rows) {
    RegisteredPipeline pipeline = begun.pipeline();
    Instant closedThrough = begun.context().closedThrough();
    StringBuilder contents = new StringBuilder();
    parts.forEach(part -> contents.append(part.sha256()).append('\n'));
    return new Manifest(
        Manifest.FORMAT_VERSION,
        pipeline.name(),
        begun.window().label(),
        begun.slice().values(),
        begun.window().start().toString(),
        begun.window().end().toString(),
        pipeline.definition().extent().partitions().zone().getId(),
        begun.token(),
        pipeline.revision(),
        pipeline.fingerprint(),
        inputVersion,
        clock.instant().toString(),
        begun.context().beganAt().toString(),
        closedThrough == null ? null : closedThrough.toString(),
        null,
        rows,
        parts.stream().mapToLong(Manifest.Part::bytes).sum(),
        Digests.sha256(contents.toString()),
        null,
        null,
        parts,
        createdBy);
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
          new Committed(address, manifest.content(), manifest.rows(), manifest.bytes()),
          manifest.inputVersion(),
          Instant.parse(manifest.attemptBeganAt()));
    }
  }
}
