package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.publish.Layout.HiveLayout;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the outputs of some partitions with one listing of each store over the range of their
 * names: an object store answers it with a page for each thousand objects. A large range is listed
 * in several parts at once.
 */
final class OutputWalk {
  /** An object store's page; a folder each on a disk. */
  private static final int SMALLEST_PART = 1_000;

  private OutputWalk() {}

  /**
   * What is there of each row's output.
   *
   * @throws IOException if a store cannot say: then nothing is known of any of them
   */
  static List<Sighting> see(List<OutputRow> rows, OutputPlaces places) throws IOException {
    List<Sighting> sightings = new ArrayList<>(rows.size());
    Map<OutputStore, Map<String, Sighting>> byStore = new LinkedHashMap<>();
    for (OutputRow row : rows) {
      Sighting sighting = new Sighting(row, places.of(row.window(), row.slice()));
      sightings.add(sighting);
      byStore
          .computeIfAbsent(sighting.place().store(), store -> new LinkedHashMap<>())
          .put(key(sighting.place().layout()), sighting);
    }
    for (Map.Entry<OutputStore, Map<String, Sighting>> one : byStore.entrySet()) {
      walkInParts(one.getKey(), one.getValue());
    }
    return sightings;
  }

  /** Each part has the names between two others, so that no sighting is seen by two. */
  private static void walkInParts(OutputStore store, Map<String, Sighting> wanted)
      throws IOException {
    if (wanted.size() < 2 * SMALLEST_PART) {
      walk(store, wanted);
      return;
    }
    List<String> names = wanted.keySet().stream().sorted(StoredObject.BYTE_ORDER).toList();
    int size = Math.max(SMALLEST_PART, (names.size() - 1) / AtOnce.THREADS + 1);
    List<Callable<Boolean>> parts = new ArrayList<>();
    for (int from = 0; from < names.size(); from += size) {
      Map<String, Sighting> part = new HashMap<>();
      for (String name : names.subList(from, Math.min(names.size(), from + size))) {
        part.put(name, Objects.requireNonNull(wanted.get(name)));
      }
      parts.add(
          () -> {
            walk(store, part);
            return true;
          });
    }
    AtOnce.ask(parts);
  }

  /** All files of one output, without its marker. */
  static List<StoredObject> files(OutputPlaces.OutputPlace place) throws IOException {
    String key = key(place.layout());
    List<StoredObject> files = new ArrayList<>();
    place
        .store()
        .walk(
            key,
            null,
            object -> {
              boolean isIn =
                  place.layout() instanceof HiveLayout
                      ? object.name().lastIndexOf('/') == key.length() - 1
                      : object.name().equals(key);
              if (isIn && !object.name().equals(place.layout().marker())) {
                files.add(object);
              }
              return true;
            });
    return files;
  }

  /** What all names of an output begin with. */
  private static String key(Layout layout) {
    return layout instanceof HiveLayout ? layout.output() + "/" : layout.output();
  }

  private static void walk(OutputStore store, Map<String, Sighting> wanted) throws IOException {
    String first = wanted.keySet().stream().min(StoredObject.BYTE_ORDER).orElseThrow();
    String last = wanted.keySet().stream().max(StoredObject.BYTE_ORDER).orElseThrow();
    // Every name that begins with the first is greater than it without its last character.
    String before = first.substring(0, first.length() - 1);
    String prefix = commonPrefix(first, last);
    // Into its folder from above, as with many: none is entered by a link.
    boolean isFolder = wanted.containsKey(prefix) && prefix.endsWith("/");
    store.walk(
        isFolder ? prefix.substring(0, prefix.length() - 1) : prefix,
        before,
        object -> {
          Sighting sighting = of(object, wanted);
          if (sighting != null) {
            sighting.see(object);
            return true;
          }
          return object.name().startsWith(last)
              || StoredObject.BYTE_ORDER.compare(object.name(), last) < 0;
        });
  }

  private static @Nullable Sighting of(StoredObject object, Map<String, Sighting> wanted) {
    String name = object.name();
    Sighting folder = wanted.get(name.substring(0, name.lastIndexOf('/') + 1));
    if (folder != null) {
      return folder;
    }
    Sighting file = wanted.get(name);
    if (file != null || !name.endsWith(".commit")) {
      return file;
    }
    Sighting marked = wanted.get(name.substring(0, name.length() - ".commit".length()));
    return marked != null && name.equals(marked.place().layout().marker()) ? marked : null;
  }

  private static String commonPrefix(String a, String b) {
    int most = Math.min(a.length(), b.length());
    int same = 0;
    while (same < most && a.charAt(same) == b.charAt(same)) {
      same++;
    }
    return a.substring(0, same);
  }
}
