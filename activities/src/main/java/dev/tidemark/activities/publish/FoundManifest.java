package dev.tidemark.activities.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.TakenIn;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.Digests;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoredObject;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A marker in the store that is what it says: of this partition, and with all of its files. */
record FoundManifest(Manifest manifest, Sighting sighting) {

  /**
   * The marker of an output, unless it is none: unreadable, another partition's, or without its
   * files.
   */
  static Optional<FoundManifest> read(RegisteredPipeline pipeline, Sighting sighting)
      throws IOException {
    String marker = sighting.place().layout().marker();
    if (marker == null) {
      return Optional.empty();
    }
    Optional<StoredText> text = sighting.place().store().read(marker);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      FoundManifest found =
          new FoundManifest(Json.read(text.get().text(), Manifest.class), sighting);
      return found.isOf(pipeline) && found.hasFiles() ? Optional.of(found) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private boolean isOf(RegisteredPipeline pipeline) {
    return manifest.isOf(
        pipeline.name(), sighting.row().window().label(), sighting.place().slice().values());
  }

  private boolean hasFiles() throws IOException {
    return hasFiles(manifest, sighting);
  }

  /** Whether every file that a manifest names was seen, with its size. */
  static boolean hasFiles(Manifest manifest, Sighting sighting) throws IOException {
    Map<String, Long> seen = new HashMap<>();
    for (StoredObject file : sighting.files()) {
      seen.put(file.name(), file.bytes());
    }
    return manifest.files().stream()
        .allMatch(
            part -> Long.valueOf(part.bytes()).equals(seen.get(nameOf(part, sighting.place()))));
  }

  /** A part's name in its store. */
  static String nameOf(Manifest.Part part, OutputPlaces.OutputPlace place) {
    return place.layout() instanceof HiveLayout
        ? place.layout().output() + "/" + part.name()
        : place.layout().output();
  }

  /** Whether the content of every file is the one that the manifest was written for. */
  boolean hasContents() throws IOException {
    OutputStore store = sighting.place().store();
    for (Manifest.Part part : manifest.files()) {
      try (InputStream content = store.open(nameOf(part, sighting.place()))) {
        if (!Digests.sha256(content).equals(part.sha256())) {
          return false;
        }
      } catch (NoSuchFileException e) {
        return false;
      }
    }
    return true;
  }

  /** As the ledger takes it in. */
  TakenIn takenIn(RegisteredPipeline pipeline) {
    // Without inputs no version says so; with inputs none means that it is not known.
    String input =
        manifest.inputVersion() == null && pipeline.definition().inputs().isEmpty()
            ? ""
            : manifest.inputVersion();
    return new TakenIn(
        sighting.row(),
        manifest.token(),
        new TakenIn.Versions(input, instant(manifest.attemptBeganAt())),
        new TakenIn.Made(
            instant(manifest.processedAt()),
            instant(manifest.closedThrough()),
            manifest.predecessor(),
            manifest.revision(),
            manifest.definition()),
        new TakenIn.Size(countedFiles(), manifest.bytes(), manifest.rows(), manifest.content()),
        sighting.place().address());
  }

  /** How many of its files have its token in their names, null if one has not. */
  private @Nullable Integer countedFiles() {
    List<Manifest.Part> files = manifest.files();
    boolean named =
        !(sighting.place().layout() instanceof HiveLayout)
            || files.stream().allMatch(part -> HiveLayout.token(part.name()) == manifest.token());
    return named ? files.size() : null;
  }

  private static @Nullable Instant instant(@Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
