package dev.tidemark.activities.index.serve;

import static dev.tidemark.activities.index.serve.ServingScene.TYPE;
import static dev.tidemark.activities.index.serve.ServingScene.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidemark.activities.index.ledger.NewEdit;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.query.QueryRefusal;
import dev.tidemark.activities.index.segment.SegmentFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a process that answers questions does with generations, switches and edits. */
@Timeout(60)
class ServedObjectsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private ServingScene scene;
  private long live;

  @BeforeEach
  void build() throws Exception {
    scene = new ServingScene(folder);
    live = scene.index(ServingScene.type(), "live");
    scene.has(1, "Ada Lovelace", "London");
    scene.has(2, "Alan Turing", "London");
  }

  @AfterEach
  void close() {
    scene.close();
  }

  private ObjectReader served() throws Exception {
    scene.build(live);
    scene.serve(live);
    ObjectReader reader = scene.reader("one");
    assertThat(reader.await(TYPE, SOON)).isTrue();
    return reader;
  }

  private static @Nullable Object name(ObjectReader reader, String key, long afterEdit)
      throws Exception {
    return reader.get(TYPE, key, afterEdit).object().orElseThrow().values().get("name");
  }

  // D2, D3: nothing is answered before a generation is hydrated and open
  @Test
  void whatIsNotBuiltYetIsNotReady() throws Exception {
    ObjectReader reader = scene.reader("one");

    assertThatThrownBy(() -> reader.get(TYPE, "1", 0)).hasMessageContaining("cannot be queried");
    scene.build(live);
    assertThatThrownBy(() -> reader.get(TYPE, "1", 0)).hasMessageContaining("cannot be queried");
    ServingScene.await(() -> isReported(live, "1 "));
    scene.serve(live);

    assertThat(reader.await(TYPE, SOON)).isTrue();
    assertThat(name(reader, "1", 0)).isEqualTo("Ada Lovelace");
  }

  private boolean isReported(long index, String report) {
    try {
      return scene.report("one", index).equals(report);
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  // D4, D30: what is fetched is checked; what is open stays until the next generation is right
  @Test
  void aFileThatIsNotWhatItsManifestSaysIsNotServed() throws Exception {
    ObjectReader reader = served();
    scene.has(3, "Grace Hopper", "New York");
    Path damaged = scene.buildDamaged(live);

    ServingScene.await(() -> !isReported(live, "1 "));
    assertThat(scene.report("one", live)).startsWith("1 ").contains("was damaged");
    assertThat(reader.search(TYPE, ObjectQuery.ALL, 0).total()).isEqualTo(2);

    ServingScene.mend(damaged);
    ServingScene.await(() -> isReported(live, "2 "));
    assertThat(reader.search(TYPE, ObjectQuery.ALL, 0).total()).isEqualTo(3);
  }

  // What a process was in the middle of when it ended is begun anew by the next, and left by none
  @Test
  void aHydrationThatIsCutOffIsBegunAnew() throws Exception {
    scene.build(live);
    scene.serve(live);
    for (int i = 0; i < 5; i++) {
      scene.reader("one").close();
    }
    assertThat(scene.report("one", live)).isEmpty();

    ObjectReader reader = scene.reader("one");
    assertThat(reader.await(TYPE, SOON)).isTrue();
    assertThat(reader.search(TYPE, ObjectQuery.ALL, 0).total()).isEqualTo(2);
  }

  // D7: seen at once here, and elsewhere by whoever asks with its offset
  @Test
  void anEditIsSeenAtOnce() throws Exception {
    ObjectReader reader = served();
    ObjectReader other = scene.reader("two");
    assertThat(other.await(TYPE, SOON)).isTrue();

    Edit edit = reader.edit(TYPE, set("2", "name", "Alan M. Turing"));

    assertThat(name(reader, "2", 0)).isEqualTo("Alan M. Turing");
    assertThat(name(other, "2", edit.offset())).isEqualTo("Alan M. Turing");
    assertThatThrownBy(() -> other.get(TYPE, "2", edit.offset() + 1))
        .hasMessageContaining("there is no edit 2");
  }

  // D6, D7: it survives the rebuild, and the process
  @Test
  void anEditSurvivesNewGenerationsAndNewProcesses() throws Exception {
    ObjectReader reader = served();
    reader.edit(TYPE, set("2", "name", "edited before"));
    scene.build(live);
    reader.edit(TYPE, set("1", "name", "edited after"));
    ServingScene.await(() -> isReported(live, "2 "));

    assertThat(name(reader, "1", 0)).isEqualTo("edited after");
    assertThat(name(reader, "2", 0)).isEqualTo("edited before");
    reader.close();
    ObjectReader later = scene.reader("later");
    assertThat(later.await(TYPE, SOON)).isTrue();
    assertThat(name(later, "1", 0)).isEqualTo("edited after");
  }

  // D-g7: edits on a deleted object: it is brought back first
  @Test
  void objectsAreCreatedDeletedAndBroughtBackByPeople() throws Exception {
    ObjectReader reader = served();

    reader.edit(TYPE, edit("9", Edit.Action.CREATE, Map.of("name", "New", "age", "41")));
    assertThat(reader.get(TYPE, "9", 0).object().orElseThrow().values())
        .containsEntry("age", 41L)
        .containsEntry("id", 9L);
    reader.edit(TYPE, edit("1", Edit.Action.DELETE, Map.of()));
    assertThat(reader.get(TYPE, "1", 0).object()).isEmpty();
    refused(reader, set("1", "name", "x"), "there is no '1'");
    assertThat(reader.search(TYPE, ObjectQuery.ALL, 0).total()).isEqualTo(2);
    reader.edit(TYPE, edit("1", Edit.Action.CREATE, Map.of()));
    assertThat(name(reader, "1", 0)).isEqualTo("Ada Lovelace");
  }

  private static NewEdit edit(String key, Edit.Action action, Map<String, String> values) {
    var json = JsonNodeFactory.instance.objectNode();
    values.forEach(json::put);
    return new NewEdit(UUID.randomUUID().toString(), key, action, json, "test");
  }

  @Test
  void anEditThatDoesNotFitIsRefusedAndChangesNothing() throws Exception {
    ObjectReader reader = served();

    refused(reader, set("1", "nmae", "x"), "has no property 'nmae'");
    refused(reader, set("1", "id", "7"), "primary key");
    refused(reader, set("1", "age", "old"), "'old' is no such value");
    refused(reader, set("7", "name", "x"), "there is no '7'");
    refused(reader, set("1/2", "name", "x"), "is no key of 'customer'");
    refused(reader, edit("1", Edit.Action.CREATE, Map.of()), "is there already");
    refused(reader, edit("1", Edit.Action.SET, Map.of()), "values is empty");
    refused(reader, edit("1", Edit.Action.DELETE, Map.of("name", "x")), "sets nothing");
    assertThat(scene.text("select count(*) from tidemark.object_edit")).isEqualTo("0");
  }

  private static void refused(ObjectReader reader, NewEdit edit, String message) {
    assertThatThrownBy(() -> reader.edit(TYPE, edit))
        .isInstanceOf(QueryRefusal.class)
        .hasMessageContaining(message);
  }

  @Test
  void aRequestThatIsSentAgainIsOneEdit() throws Exception {
    ObjectReader reader = served();
    NewEdit create = edit("9", Edit.Action.CREATE, Map.of("name", "once"));

    Edit first = reader.edit(TYPE, create);

    assertThat(reader.edit(TYPE, create).offset()).isEqualTo(first.offset());
    assertThatThrownBy(
            () ->
                reader.edit(
                    TYPE,
                    new NewEdit(
                        create.requestId(), "8", Edit.Action.CREATE, create.values(), "test")))
        .hasMessageContaining("has made another edit");
  }

  // Two processes that create the same object: exactly one does
  @Test
  void ofManyWhoCreateTheSameObjectOneDoes() throws Exception {
    ObjectReader one = served();
    ObjectReader two = scene.reader("two");
    assertThat(two.await(TYPE, SOON)).isTrue();
    AtomicInteger created = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    CountDownLatch begin = new CountDownLatch(1);
    Thread[] all = new Thread[8];
    for (int i = 0; i < all.length; i++) {
      ObjectReader reader = i % 2 == 0 ? one : two;
      all[i] =
          new Thread(
              () -> {
                try {
                  begin.await();
                  reader.edit(TYPE, edit("9", Edit.Action.CREATE, Map.of()));
                  created.incrementAndGet();
                } catch (QueryRefusal e) {
                  refused.incrementAndGet();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      all[i].start();
    }
    begin.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(created).hasValue(1);
    assertThat(refused).hasValue(7);
  }

  // D10, c-L4: a page that was begun before a switch goes on in what it was begun in
  @Test
  void pagesAreOfOneStateWhateverHappensMeanwhile() throws Exception {
    ObjectReader reader = served();
    ObjectQuery one = new ObjectQuery(ObjectQuery.ALL.filter(), null, java.util.List.of(), 1, null);
    FoundObjects first = reader.search(TYPE, one, 0);
    scene.has(0, "Zeroth", "Rome");
    scene.hasNoMore(2);
    scene.build(live);
    reader.edit(TYPE, set("1", "name", "edited"));
    ServingScene.await(() -> isReported(live, "2 "));

    FoundObjects second = reader.search(TYPE, one.from(first.next()), 0);

    assertThat(second.generation()).isEqualTo(first.generation());
    assertThat(second.objects().get(0).values()).containsEntry("name", "Alan Turing");
    assertThat(second.total()).isEqualTo(2);
    assertThat(reader.search(TYPE, one.from(second.next()), 0).objects()).isEmpty();
    assertThat(reader.search(TYPE, one, 0).objects().get(0).key()).isEqualTo("0");
  }

  // one edit that an index cannot take is of that index, and of nothing else
  @Test
  void anEditWhoseKeyTheIndexCannotHoldHoldsUpNothing() throws Exception {
    ObjectReader reader = served();
    scene
        .database()
        .execute(
            """
            with numbered as (
              update tidemark.object_type set edit_offset = edit_offset + 1
              returning object_type_id, edit_offset)
            insert into tidemark.object_edit
                   (object_type_id, edit_offset, request_id, key, action, values, made_by)
            select object_type_id, edit_offset, 'r', 'no number', 'create', '{}', 'test'
              from numbered
            """);

    Edit next = reader.edit(TYPE, set("1", "name", "edited"));

    assertThat(name(reader, "1", next.offset())).isEqualTo("edited");
    refused(reader, edit("9".repeat(9_000), Edit.Action.CREATE, Map.of()), "8000 characters");
  }

  @Test
  void anObjectIsFoundHoweverItsKeyIsWritten() throws Exception {
    assertThat(name(served(), "001", 0)).isEqualTo("Ada Lovelace");
  }

  @Test
  void whatIsKeptOfAnIndexThatIsServedNoMoreIsRemoved(@TempDir Path files) throws Exception {
    for (String index : new String[] {"customer-7", "customer-12"}) {
      Files.writeString(Files.createDirectories(files.resolve(index)).resolve("_0.cfs"), "segment");
    }

    new SegmentFiles(files).keepOnly(Set.of(12L));

    assertThat(files).isDirectoryContaining("glob:**customer-12");
    assertThat(files).isDirectoryNotContaining("glob:**customer-7");
  }
}
