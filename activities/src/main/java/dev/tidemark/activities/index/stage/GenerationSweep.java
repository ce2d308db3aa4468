package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.store.OutputStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes away what builds of an index have left and no generation that is kept needs: folders of
 * stages, and the files that no kept manifest names.
 */
public final class GenerationSweep {
  /** No attempt lives as long. */
  private static final Duration ABANDONED = Duration.ofDays(7);

  private static final Pattern STAGE = Pattern.compile("[^/]+/\\d+-(\\d{1,18})/.*");
  private static final Pattern FILE = Pattern.compile("files/.*-(\\d{1,18})-[0-9a-f]{8}");

  private final OutputStore store;
  private final String root;
  private final Set<Long> kept;
  private final long before;
  private final Runnable beat;

  private GenerationSweep(
      OutputStore store, String root, Set<Long> kept, long before, Runnable beat) {
    this.store = store;
    this.root = root;
    this.kept = kept;
    this.before = before;
    this.beat = beat;
  }

  /**
   * Sweeps an index.
   *
   * @param kept the tokens of the builds whose generations are kept
   * @param before what has this token or a larger one is left alone: it may be in the making.
   *     {@link Long#MAX_VALUE} for an index that is built no more
   * @param beat says that the work goes on; called at each object
   * @return how many objects were removed
   * @throws IOException also if the manifest of a kept generation is not there: nothing is removed
   */
  public static int run(
      OutputStore store, String objectType, long index, Set<Long> kept, long before, Runnable beat)
      throws IOException {
    String root = SegmentFiles.root(objectType, index);
    store.removeAbandoned(Shelf.area(root), ABANDONED);
    return new GenerationSweep(store, root, kept, before, beat).run();
  }

  private int run() throws IOException {
    List<String> names = names();
    Set<String> needed = needed(names);
    int removed = 0;
    // Manifests first: whoever finds one finds all that it names, or learns that it is gone.
    for (boolean isManifest : List.of(true, false)) {
      for (String name : names) {
        if (name.endsWith("/" + Shelf.MARKER) == isManifest && !isNeeded(name, needed)) {
          beat.run();
          store.delete(root + name);
          removed++;
        }
      }
    }
    return removed;
  }

  private List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    store.walk(
        root,
        null,
        object -> {
          beat.run();
          names.add(object.name().substring(root.length()));
          return true;
        });
    return names;
  }

  /** The files that the kept generations name. */
  private Set<String> needed(List<String> names) throws IOException {
    Set<Long> missing = new HashSet<>(kept);
    Set<String> needed = new HashSet<>();
    for (String name : names) {
      Matcher stage = STAGE.matcher(name);
      boolean isManifest =
          name.startsWith(IndexStage.NAME + "/") && name.endsWith("/" + Shelf.MARKER);
      if (isManifest && stage.matches() && kept.contains(Long.valueOf(stage.group(1)))) {
        IndexManifest.read(store, root + name)
            .orElseThrow(() -> new IOException(store.address(root + name) + " is gone"))
            .files()
            .forEach(file -> needed.add(file.stored()));
        missing.remove(Long.valueOf(stage.group(1)));
      }
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          "%s has no manifest of the builds %s, which are kept; nothing was removed"
              .formatted(store.address(root), missing));
    }
    return needed;
  }

  private boolean isNeeded(String name, Set<String> needed) {
    Matcher stage = STAGE.matcher(name);
    if (stage.matches()) {
      long token = Long.parseLong(stage.group(1));
      return token >= before || kept.contains(token);
    }
    Matcher file = FILE.matcher(name);
    return !file.matches() || Long.parseLong(file.group(1)) >= before || needed.contains(name);
  }
}
