package dev.tidemark.activities.index.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Where one stage of a build publishes: files first, then the manifest that names them, which is
 * the commit. Each attempt names its files otherwise, and the first manifest stands: another
 * attempt at the same stage finds it, and what it made itself goes.
 *
 * @param <M> the manifest
 */
final class Shelf<M> implements AutoCloseable {
  static final String MARKER = "_manifest.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Build build;
  private final Workplace place;
  private final String folder;
  private final Class<M> manifest;
  private final String attempt;
  private final Staging staging;
  private final List<String> targets = new ArrayList<>();

  Shelf(Build build, Workplace place, String stage, Class<M> manifest) {
    this.build = build;
    this.place = place;
    this.folder = folder(build, stage);
    this.manifest = manifest;
    this.attempt = build.token() + "-" + UUID.randomUUID().toString().substring(0, 8);
    this.staging =
        place
            .store()
            .stage(new StagingId(area(build.root()), stage + "-" + attempt, build.token()));
  }

  private static String folder(Build build, String stage) {
    return stage + "/" + build.generation() + "-" + build.token() + "/";
  }

  /** The name of the manifest that a build publishes of a stage. */
  static String marker(Build build, String stage) {
    return build.root() + folder(build, stage) + MARKER;
  }

  /** Readers wait for the manifest, so a file system may copy what it cannot move. */
  static StagingArea area(String root) {
    return new StagingArea(root + "_staging", root, Pattern.compile(".*", Pattern.DOTALL), true);
  }

  /** What this build has published of the stage already. */
  Optional<M> published() throws IOException {
    Optional<StoredText> text = place.store().read(build.root() + folder + MARKER);
    return text.isEmpty()
        ? Optional.empty()
        : Optional.of(JSON.readValue(text.get().text(), manifest));
  }

  /** A folder of its own, where files that are added come from. */
  Path folder() throws IOException {
    return staging.folder();
  }

  /** Stages a part of the stage. */
  IndexManifest.File part(Path file, String extension) throws IOException {
    String name = "%spart-%05d-%s%s".formatted(folder, targets.size(), attempt, extension);
    return add(name, name, file);
  }

  /** Stages a file of an index, beside those of other generations. */
  IndexManifest.File segment(Path file) throws IOException {
    String name = file.getFileName().toString();
    return add(name, stored(name), file);
  }

  /** What a file of an index will be called in the store. */
  String stored(String name) {
    return "files/" + name + "-" + attempt;
  }

  private IndexManifest.File add(String name, String stored, Path file) throws IOException {
    long bytes = Files.size(file);
    String target = build.root() + stored;
    String sha256 = staging.add(file, target);
    targets.add(target);
    return new IndexManifest.File(name, stored, bytes, sha256);
  }

  /** Makes what was staged visible, and then the manifest; that of another attempt stands. */
  M publish(M made) throws IOException {
    String marker = build.root() + folder + MARKER;
    staging.add(JSON.writeValueAsString(made), marker);
    staging.secure();
    place.watch().confirm("publish " + folder);
    staging.promote(targets);
    place.watch().confirm("publish the manifest of " + folder);
    if (staging.promoteIfAbsent(marker)) {
      return made;
    }
    M stands =
        published()
            .orElseThrow(
                () -> new IOException(place.store().address(marker) + " has come and gone"));
    if (!JSON.valueToTree(stands).equals(JSON.valueToTree(made))) {
      for (String target : targets) {
        place.store().delete(target);
      }
    }
    return stands;
  }

  @Override
  public void close() throws IOException {
    staging.close();
  }
}
