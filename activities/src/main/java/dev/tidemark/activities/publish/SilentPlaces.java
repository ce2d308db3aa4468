package dev.tidemark.activities.publish;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The places that did not answer when they were asked last. As only a few such are waited for at a
 * time, they are asked after all others, and of them first that which was asked longest ago: so
 * that no place goes without an answer because others are silent. Bounded: the oldest are
 * forgotten.
 */
final class SilentPlaces {
  private static final int MOST = 10_000;

  private final Set<String> known = new LinkedHashSet<>();

  /** In which order to ask these. */
  synchronized List<String> last(Collection<String> locations) {
    Set<String> order = new LinkedHashSet<>(new TreeSet<>(locations));
    order.removeAll(known);
    known.stream().filter(locations::contains).forEach(order::add);
    return new ArrayList<>(order);
  }

  /** What came of asking one. */
  synchronized void note(String location, boolean silent) {
    known.remove(location);
    if (silent) {
      known.add(location);
    }
    if (known.size() > MOST) {
      known.remove(known.iterator().next());
    }
  }
}
