package dev.tidemark.activities.index.serve;

import static dev.tidemark.activities.index.serve.ServingScene.TYPE;
import static dev.tidemark.activities.index.serve.ServingScene.property;
import static dev.tidemark.activities.index.serve.ServingScene.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.index.query.FoundObject;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.ObjectQuery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers that poll two processes while everything changes below them. Every build writes its
 * number into every object; no object is ever deleted.
 */
@Timeout(120)
class PollingReaderTest {
  private static final int OBJECTS = 120;
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final AtomicLong polls = new AtomicLong();

  /** The newest name that somebody gave each object, and was told that it is durable. */
  private final Map<String, String> edited = new ConcurrentHashMap<>();

  private final AtomicLong lastEdit = new AtomicLong();
  private volatile boolean over;
  private int build;

  // issue 8, what must be shown 2; D9, D10, D-g2, c-L1, c-L3, c-L4
  @Test
  void nothingIsMissingLostOrMixedThroughSwitchesEditsAndFailedHydrations() throws Exception {
    try (ServingScene scene = new ServingScene(folder)) {
      long live = scene.index(ServingScene.type(), "live");
      next(scene, live);
      scene.serve(live);
      ObjectReader one = scene.reader("one");
      ObjectReader two = scene.reader("two");
      assertThat(one.await(TYPE, SOON)).isTrue();
      assertThat(two.await(TYPE, SOON)).isTrue();
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<?>> all = new ArrayList<>();
      all.add(threads.submit(() -> poll(one)));
      all.add(threads.submit(() -> poll(two)));
      all.add(threads.submit(() -> edit(one)));

      next(scene, live);
      awaitServed(live, 2, one, two);
      Path damaged = damage(scene, live);
      ServingScene.await(() -> isInTrouble(scene, live));
      ServingScene.mend(damaged);
      awaitServed(live, 3, one, two);

      long replacement = scene.index(ServingScene.type(property("mail", "string")), "replacement");
      next(scene, replacement);
      next(scene, live);
      next(scene, replacement);
      ServingScene.await(() -> scene.reports(replacement).equals("2,2"));
      scene.serve(replacement);
      awaitServed(replacement, 2, one, two);
      next(scene, replacement);
      awaitServed(replacement, 3, one, two);
      scene.serve(live);
      awaitServed(live, 4, one, two);
      next(scene, live);
      awaitServed(live, 5, one, two);

      over = true;
      for (Future<?> task : all) {
        task.get();
      }
      threads.shutdown();
      assertThat(polls).hasValueGreaterThan(50);
      assertThat(edited).hasSizeGreaterThan(5);
    }
  }

  /** Another build, of what the source has by now: a few objects more, each with its number. */
  private void next(ServingScene scene, long index) throws Exception {
    fill(scene);
    scene.build(index);
  }

  private Path damage(ServingScene scene, long index) throws Exception {
    fill(scene);
    return scene.buildDamaged(index);
  }

  private void fill(ServingScene scene) {
    build++;
    for (int i = 0; i < OBJECTS; i++) {
      scene.has(i, "from the source", "build " + build);
    }
  }

  private static void awaitServed(long index, long generation, ObjectReader... readers)
      throws InterruptedException {
    for (ObjectReader reader : readers) {
      ServingScene.await(
          () -> {
            var now = search(reader, ObjectQuery.ALL).generation();
            return now.index() == index && now.generation() == generation;
          });
    }
  }

  private static boolean isInTrouble(ServingScene scene, long index) {
    try {
      return scene.report("one", index).contains("was damaged")
          && scene.report("two", index).contains("was damaged");
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static FoundObjects search(ObjectReader reader, ObjectQuery query) {
    return search(reader, query, 0);
  }

  private static FoundObjects search(ObjectReader reader, ObjectQuery query, long afterEdit) {
    try {
      return reader.search(TYPE, query, afterEdit);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void edit(ObjectReader reader) {
    for (int i = 0; !over; i++) {
      String key = Integer.toString(i % OBJECTS);
      String name = "edit " + i;
      try {
        lastEdit.set(reader.edit(TYPE, set(key, "name", name)).offset());
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      } catch (dev.tidemark.activities.ledger.database.LedgerRefusal switched) {
        // Made against an index that is not served any more: said so, and not made.
        continue;
      }
      edited.put(key, name);
    }
  }

  private void poll(ObjectReader reader) {
    long offset = 0;
    while (!over) {
      Map<String, String> known = Map.copyOf(edited);
      List<FoundObject> objects = new ArrayList<>();
      ObjectQuery query = new ObjectQuery(ObjectQuery.ALL.filter(), null, List.of(), 50, null);
      FoundObjects page = search(reader, query, lastEdit.get());
      FoundObjects first = page;
      objects.addAll(page.objects());
      while (page.next() != null) {
        page = search(reader, query.from(page.next()));
        assertThat(page.generation()).isEqualTo(first.generation());
        objects.addAll(page.objects());
      }
      assertThat(objects).hasSize(OBJECTS).hasSize((int) first.total());
      assertThat(first.generation().editOffset()).isGreaterThanOrEqualTo(offset);
      offset = first.generation().editOffset();
      checkOneState(objects, known);
      polls.incrementAndGet();
    }
  }

  private static void checkOneState(List<FoundObject> objects, Map<String, String> known) {
    Set<Object> builds = new HashSet<>();
    for (FoundObject object : objects) {
      builds.add(object.values().get("city"));
      String name = known.get(object.key());
      if (name != null) {
        assertThat(number(object.values().get("name"))).isGreaterThanOrEqualTo(number(name));
      }
    }
    assertThat(builds).hasSize(1);
  }

  private static int number(@Nullable Object name) {
    return name instanceof String text && text.startsWith("edit ")
        ? Integer.parseInt(text.substring("edit ".length()))
        : -1;
  }
}
