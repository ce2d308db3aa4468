package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.ledger.Edits;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectKey;
import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.activities.index.query.KeptViews;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.query.ObjectSearch;
import dev.tidemark.activities.index.query.QueryRefusal;
import dev.tidemark.activities.index.query.View;
import dev.tidemark.activities.ledger.database.LedgerException;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.index.ObjectType;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about objects, and takes edits of them, in this process: it keeps the indexes
 * that are served open on the local disk (D3). Each answer is of one state of the objects, which it
 * names. Safe for many threads.
 */
public final class ObjectReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ObjectReader.class);

  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Somebody edits the same object at the same time: looked at and tried so often. */
  private static final int MOST_TRIES = 5;

  private final ObjectServing serving;
  private final Edits edits;
  private final KeptViews kept;

  private ObjectReader(ObjectServing serving, Edits edits, KeptViews kept) {
    this.serving = serving;
    this.edits = edits;
    this.kept = kept;
  }

  /**
   * Begins to open what is served; returns at once. Until an object type is open, questions about
   * it are refused as not ready.
   *
   * @param process as the ledger is to call this process; no other may have the name
   * @param types those that are opened
   */
  public static ObjectReader open(
      DataSource ledger, Stores stores, String process, Predicate<String> types) {
    KeptViews kept = new KeptViews(Clock.systemUTC());
    ObjectServing serving = new ObjectServing(ledger, stores, process, types, kept);
    serving.start();
    return new ObjectReader(serving, new Edits(ledger), kept);
  }

  /**
   * Waits until questions about the type can be answered.
   *
   * @return false if that has not come within the time
   */
  public boolean await(String type, Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    while (serving.of(type).flatMap(OpenIndexes::served).isEmpty()) {
      if (System.nanoTime() - until >= 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    }
    return true;
  }

  /** The definition that the type is served by; empty while it is not. */
  public Optional<ObjectType> type(String type) {
    return serving.of(type).flatMap(OpenIndexes::served).map(served -> served.index().type());
  }

  /**
   * An object, if it is there.
   *
   * @param generation that was looked at
   * @param type as it was in that generation
   */
  public record Answer(Generation generation, ObjectType type, Optional<FoundObject> object) {}

  /**
   * The object of a key, which may be written in another way than it is kept, as {@code 042}.
   *
   * @param afterEdit an offset: the answer has that edit, whichever process it was made in; 0 for
   *     whatever is known here
   * @throws QueryRefusal if the type is not served here, or there is no such edit
   */
  public Answer get(String type, String key, long afterEdit) throws IOException {
    try (View view = view(type, afterEdit)) {
      Optional<FoundObject> found = new ObjectSearch(view).find(canonical(view.type(), key));
      return new Answer(view.generation(), view.type(), found);
    }
  }

  /** What is no key of the type is of no object: as it is. */
  private static String canonical(ObjectType type, String key) {
    try {
      return ObjectKey.canonical(type, key);
    } catch (IllegalArgumentException e) {
      return key;
    }
  }

  /**
   * One page of the objects that are looked for. A page after the first one is of the state that
   * the first one was of.
   *
   * @param afterEdit as in {@link #get}
   * @throws QueryRefusal if the question does not fit the type, or what its cursor was begun in is
   *     not kept any more
   */
  public FoundObjects search(String type, ObjectQuery query, long afterEdit) throws IOException {
    String cursor = query.cursor();
    try (View view = cursor == null ? view(type, afterEdit) : begun(type, cursor)) {
      return new ObjectSearch(view).search(query, kept);
    }
  }

  private View begun(String type, String cursor) {
    View view = kept.find(ObjectSearch.viewOf(cursor));
    if (!view.type().name().equals(type)) {
      view.close();
      throw QueryRefusal.invalid("cursor", "the cursor is of '" + view.type().name() + "'");
    }
    return view;
  }

  private View view(String type, long afterEdit) throws IOException {
    OpenIndexes open = opened(type);
    View view = open.view().orElseThrow(() -> notReady(type));
    if (view.generation().editOffset() < afterEdit) {
      view.close();
      open.catchUp();
      view = open.view().orElseThrow(() -> notReady(type));
    }
    long offset = view.generation().editOffset();
    if (offset < afterEdit) {
      view.close();
      throw QueryRefusal.invalid(
          "after_edit",
          "there is no edit %d of '%s'; the newest is %d".formatted(afterEdit, type, offset));
    }
    return view;
  }

  /**
   * Makes an edit: durable when this returns, and in every answer of this process from then on. In
   * answers of other processes it is within a second, and at once where they are asked with its
   * offset.
   *
   * @return the edit with its offset; of a request that was sent before, the one that it made
   * @throws QueryRefusal if it does not fit the type, or the object as it is
   */
  public Edit edit(String type, NewEdit edit) throws IOException {
    OpenIndexes open = opened(type);
    for (int tried = 1; tried <= MOST_TRIES; tried++) {
      open.catchUp();
      ServedIndex served = open.served().orElseThrow(() -> notReady(type));
      Optional<Edit> before = edits.find(served.index(), edit.requestId());
      if (before.isPresent()) {
        return same(before.get(), edit, served.index().type());
      }
      try (View view = open.view().orElseThrow(() -> notReady(type))) {
        NewEdit checked = EditCheck.of(view, edit);
        long offset = view.generation().editOffset();
        Optional<Edit> made = edits.append(served.index(), checked, offset);
        if (made.isPresent()) {
          show(open, made.get());
          return made.get();
        }
      }
    }
    throw new QueryRefusal(
        QueryRefusal.Kind.CONFLICT,
        "key",
        "'%s' of '%s' is being edited by others all the time; edit it again"
            .formatted(edit.key(), type));
  }

  /** The edit is made: where it cannot be shown yet, as on a full disk, that is no error of it. */
  private static void show(OpenIndexes open, Edit made) {
    try {
      open.catchUp();
    } catch (IOException | LedgerException e) {
      log.warn("edit {} is made, and cannot be shown here yet", made.offset(), e);
    }
  }

  private static Edit same(Edit made, NewEdit edit, ObjectType type) {
    if (!made.key().equals(EditCheck.key(type, edit.key())) || made.action() != edit.action()) {
      throw QueryRefusal.invalid(
          "request_id",
          "request '%s' has made another edit, of '%s'; give each edit an id of its own"
              .formatted(edit.requestId(), made.key()));
    }
    return made;
  }

  private OpenIndexes opened(String type) {
    return serving.of(type).orElseThrow(() -> notReady(type));
  }

  private static QueryRefusal notReady(String type) {
    return new QueryRefusal(
        QueryRefusal.Kind.NOT_READY,
        null,
        "'"
            + type
            + "' cannot be queried here yet: its index is still being built or opened; ask again"
            + " shortly");
  }

  @Override
  public void close() {
    serving.close();
    kept.close();
  }
}
