package dev.tidemark.activities.connection;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What was made for the keys used last, up to a number of them. What falls out is not closed: it
 * may be in use, and goes with whoever uses it. For use by several threads.
 */
public final class LastUsed<K, V> {
  private final int most;
  private final Map<K, V> byUse = new LinkedHashMap<>(16, 0.75f, true);

  public LastUsed(int most) {
    this.most = most;
  }

  /** What is there for the key, or is made for it now. */
  public synchronized V get(K key, Function<K, V> make) {
    V found = byUse.computeIfAbsent(key, make);
    if (byUse.size() > most) {
      Iterator<V> oldest = byUse.values().iterator();
      oldest.next();
      oldest.remove();
    }
    return found;
  }

  /** Forgets all; returns what was there. */
  synchronized List<V> clear() {
    List<V> all = List.copyOf(byUse.values());
    byUse.clear();
    return all;
  }
}
