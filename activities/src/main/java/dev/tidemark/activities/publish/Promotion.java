package dev.tidemark.activities.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagedUpload;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Steps 2 to 7 of the publish protocol: what is staged becomes visible, so that a reader who
 * follows the reading protocol sees all of it or none. The token is checked before each step that
 * changes anything a reader sees ({@link Holding}), as late as can be: a step that finds nothing to
 * remove asks nobody. No lock is held across calls of the store.
 */
final class Promotion {
  private static final int TRIES = 3;

  private final Publication.Place place;
  private final OutputStore store;
  private final Staging staging;
  private final Attempts attempts;
  private final long token;
  private final Holding holding;
  private final Set<String> replaced = new HashSet<>();

  Promotion(Publication.Place place, Staging staging, Attempts attempts) {
    this.place = place;
    this.store = place.store();
    this.staging = staging;
    this.attempts = attempts;
    this.token = place.id().token();
    this.holding = new Holding(attempts, token);
  }

  /**
   * Publishes what is staged.
   *
   * @param manifest that is staged as the marker, where the layout has one
   * @param targets of the staged files; null where the files are in their place already and are not
   *     Tidemark's: then none is removed either
   * @throws SupersededException if the token is no longer the newest; nothing of a later attempt
   *     was touched
   * @throws OutrankedException if the store has a later commit than the ledger has ever issued
   */
  void run(Manifest manifest, @Nullable List<String> targets)
      throws IOException, SupersededException {
    String address = store.address(place.layout().output());
    // The disk and the ledger work at the same time: nobody sees either yet.
    staging.startSecuring();
    // 2. Record the intent.
    List<StagedUpload> uploads = intend(manifest, address);
    // 3. Earlier attempts lose what they have staged. Where this one has nothing that another could
    // need to know of, they had not either.
    store.endEarlier(place.id(), uploads.isEmpty() ? List.of() : earlierUploads(address));
    try {
      staging.secure();
      promote(manifest, targets);
    } catch (NoSuchFileException e) {
      holding.check("promote what it had staged, which is gone");
      throw e;
    }
  }

  /** Records what a later attempt needs to take away; returns it. */
  private List<StagedUpload> intend(Manifest manifest, String address) throws SupersededException {
    List<StagedUpload> uploads = staging.uploads();
    holding.intend(Json.write(new Intent(address, manifest, uploads)));
    return uploads;
  }

  private List<StagedUpload> earlierUploads(String address) {
    return attempts.earlierIntents(token).stream()
        .flatMap(recorded -> Intent.parse(recorded).stream())
        .filter(intent -> intent.output().equals(address))
        .flatMap(intent -> intent.staged().stream())
        .toList();
  }

  private void promote(Manifest manifest, @Nullable List<String> targets)
      throws IOException, SupersededException {
    String marker = place.layout().marker();
    // 4. From here on a reader finds the partition absent, never mixed.
    if (marker != null) {
      removeMarker(marker);
    }
    // 5.
    if (targets != null) {
      checkBeforePromoting();
      staging.promote(targets);
    }
    // 6.
    if (targets != null && place.layout() instanceof HiveLayout hive) {
      removeStale(hive, targets);
    }
    // 7.
    if (marker != null) {
      promoteMarker(marker, manifest);
    }
    staging.secure();
  }

  /** A marker with a larger token is a later attempt's, whatever became of the ledger since. */
  private void removeMarker(String marker) throws IOException, SupersededException {
    for (int i = 0; i < TRIES; i++) {
      Optional<StoredText> old = store.read(marker);
      if (old.isEmpty()) {
        return;
      }
      holding.check("remove the old marker");
      Optional<Manifest> manifest = manifest(old.get());
      if (manifest.isPresent() && manifest.get().token() > token) {
        throw outranked(marker, manifest.get().token());
      }
      if (store.deleteIfUnchanged(marker, old.get().version())) {
        manifest.ifPresent(was -> was.files().forEach(part -> replaced.add(part.name())));
        return;
      }
    }
    throw keepsChanging(marker);
  }

  /** Parts have the token in their names, and replace nothing; a single file may. */
  private void checkBeforePromoting() throws SupersededException {
    String step = "promote its files";
    if (place.layout() instanceof HiveLayout) {
      holding.checkIfOld(step);
    } else {
      holding.check(step);
    }
  }

  /** Also what the old marker named, whatever its name: to replace is literally true (B19). */
  private void removeStale(HiveLayout hive, List<String> targets)
      throws IOException, SupersededException {
    String folder = hive.output() + "/";
    Set<String> kept = new HashSet<>(targets);
    List<String> stale = new ArrayList<>();
    store.walk(
        folder,
        null,
        object -> {
          String name = object.name().substring(folder.length());
          if (!kept.contains(object.name())
              && (HiveLayout.isStale(name, token) || replaced.contains(name))) {
            stale.add(object.name());
          }
          return true;
        });
    if (!stale.isEmpty()) {
      holding.check("remove the files of earlier attempts");
    }
    for (String name : stale) {
      store.delete(name);
    }
  }

  private void promoteMarker(String marker, Manifest manifest)
      throws IOException, SupersededException {
    // An earlier attempt may have slipped its marker in; its staging is gone, so it does so once.
    for (int i = 0; i < TRIES; i++) {
      // While the disk works; once more if that took long.
      holding.check("promote its marker");
      staging.secure();
      holding.checkIfOld("promote its marker");
      if (staging.promoteIfAbsent(marker)) {
        return;
      }
      // It may also be our own, whose answer was lost.
      if (markerToken(store, marker).filter(found -> found == token).isPresent()) {
        return;
      }
      // It may be staged anew, which no intent tells of yet.
      intend(manifest, store.address(place.layout().output()));
      removeMarker(marker);
    }
    throw keepsChanging(marker);
  }

  /**
   * The token was the newest a moment ago. If it still is, the ledger has forgotten what it issued:
   * it was restored from a backup, or made anew. As long as its tokens are smaller no attempt could
   * publish, however often it ran.
   */
  private IOException outranked(String marker, long later) {
    attempts.raise(later);
    return new OutrankedException(store.address(marker), later, token);
  }

  private IOException keepsChanging(String marker) {
    return new IOException(store.address(marker) + " keeps changing by another's hand");
  }

  /** The token that a marker names; empty if there is none, or it is not readable. */
  static Optional<Long> markerToken(OutputStore store, String marker) throws IOException {
    return store.read(marker).flatMap(Promotion::manifest).map(Manifest::token);
  }

  private static Optional<Manifest> manifest(StoredText text) {
    try {
      return Optional.of(Json.read(text.text(), Manifest.class))
          .filter(manifest -> manifest.token() <= Manifest.MAX_TOKEN);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
