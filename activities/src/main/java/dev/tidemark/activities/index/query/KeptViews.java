package dev.tidemark.activities.index.query;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The views that cursors were begun in, each for five minutes after its last use: whoever turns
 * pages sees one state of the objects on all of them (c-L1, elasticsearch PR 59154). Bounded; the
 * one that was used least recently goes first.
 */
public final class KeptViews implements AutoCloseable {
  static final Duration KEPT = Duration.ofMinutes(5);
  static final int MOST = 100;

  private record Kept(View view, Instant until) {}

  private final Clock clock;

  /** By id, the least recently used first. */
  private final Map<String, Kept> views = new LinkedHashMap<>();

  public KeptViews(Clock clock) {
    this.clock = clock;
  }

  /** Keeps a view that the caller holds. */
  synchronized void keep(View view) {
    Kept before = views.remove(view.id());
    if (before != null || view.hold()) {
      views.put(view.id(), new Kept(view, clock.instant().plus(KEPT)));
    }
    forget();
  }

  /**
   * The view of a cursor; the caller closes it.
   *
   * @throws QueryRefusal if it is not kept any more
   */
  public synchronized View find(String id) {
    forget();
    Kept kept = views.get(id);
    if (kept == null || !kept.view().hold()) {
      throw new QueryRefusal(
          QueryRefusal.Kind.GONE,
          "cursor",
          "what this cursor was begun in is not kept any more: it is for "
              + KEPT.toMinutes()
              + " minutes after its last use, by the process that began it; begin again without it");
    }
    return kept.view();
  }

  /** Lets go what nobody has used for long enough. */
  public synchronized void forget() {
    Instant now = clock.instant();
    Iterator<Kept> oldest = views.values().iterator();
    while (oldest.hasNext()) {
      Kept kept = oldest.next();
      if (views.size() <= MOST && kept.until().isAfter(now)) {
        return;
      }
      oldest.remove();
      kept.view().close();
    }
  }

  @Override
  public synchronized void close() {
    views.values().forEach(kept -> kept.view().close());
    views.clear();
  }
}
