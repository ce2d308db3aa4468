package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.ledger.Edits;
import dev.tidemark.activities.index.query.View;
import dev.tidemark.activities.ledger.database.LedgerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of one object type that are open here, and the one of them that questions are
 * answered from: one reference, so that a switch is seen as a whole. Nothing goes back: what is
 * switched to has every edit that was seen before.
 */
final class OpenIndexes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenIndexes.class);

  private final Edits edits;
  private final Map<Long, ServedIndex> open = new HashMap<>();
  private volatile @Nullable ServedIndex served;
  private boolean isClosed;

  OpenIndexes(Edits edits) {
    this.edits = edits;
  }

  /** What questions are answered from; empty before there is anything. */
  Optional<ServedIndex> served() {
    return Optional.ofNullable(served);
  }

  /** The state that questions see now, for the caller to close; empty before there is any. */
  Optional<View> view() {
    ServedIndex current = served;
    while (current != null) {
      Optional<View> view = current.acquire();
      if (view.isPresent()) {
        return view;
      }
      current = served;
    }
    return Optional.empty();
  }

  /** Whether this generation of the index is open, or a later one, and takes edits. */
  synchronized boolean has(long index, long generation) {
    ServedIndex known = open.get(index);
    return known != null && known.generation().generation() >= generation && !known.isBroken();
  }

  /** Whether an open index lacks edits up to this one. */
  synchronized boolean isBehind(long editOffset) {
    return open.values().stream()
        .anyMatch(one -> one.generation().editOffset() < editOffset && !one.isBroken());
  }

  /** The index, if it is open. */
  synchronized Optional<ServedIndex> find(long index) {
    return Optional.ofNullable(open.get(index));
  }

  /**
   * Puts the edits on top that the ledger has, on those of all indexes that can take any. One that
   * cannot holds up no other.
   *
   * @throws IOException if that fails for the one that questions are answered from
   */
  synchronized void catchUp() throws IOException {
    IOException failed = null;
    for (ServedIndex one : open.values()) {
      try {
        if (!one.isBroken()) {
          one.catchUp(edits);
        }
      } catch (LedgerException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (one == served) {
          failed = new IOException("cannot put the newest edits on index " + one.index().id(), e);
        } else {
          log.warn("cannot put the newest edits on index {}; tried again", one.index().id(), e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  /**
   * Takes in a generation that is ready, in place of the one before it; closes it if it is late.
   */
  void admit(ServedIndex fresh) throws IOException {
    // Most of it here, where nobody waits for it.
    fresh.catchUp(edits);
    replace(fresh);
  }

  private synchronized void replace(ServedIndex fresh) throws IOException {
    if (isClosed) {
      fresh.close();
      return;
    }
    fresh.catchUp(edits);
    ServedIndex before = open.put(fresh.index().id(), fresh);
    if (before != null) {
      if (before == served) {
        served = fresh;
      }
      before.close();
    }
  }

  /** From now on questions are answered from this index, once it is open. */
  synchronized void serve(long index) throws IOException {
    ServedIndex wanted = open.get(index);
    if (wanted != null && wanted != served) {
      wanted.catchUp(edits);
      served = wanted;
    }
  }

  /** Closes the others, but for the one that questions are answered from. */
  synchronized void keepOnly(Set<Long> wanted) throws IOException {
    for (ServedIndex one : List.copyOf(open.values())) {
      if (one != served && !wanted.contains(one.index().id())) {
        open.remove(one.index().id());
        one.close();
      }
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    served = null;
    try {
      for (ServedIndex one : open.values()) {
        one.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      open.clear();
    }
  }
}
