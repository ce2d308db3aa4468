package dev.tidemark.activities.index.build;

import static dev.tidemark.activities.index.build.Customers.LIVE;
import static dev.tidemark.activities.index.build.Customers.REPLACEMENT;
import static dev.tidemark.activities.index.build.Customers.TYPE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.index.build.ServingProcess.Seen;
import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.Replacements;
import dev.tidemark.activities.index.ledger.ServingProcesses;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.SwitchOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes that answer questions are killed with {@code kill -9}, one after the other, while
 * readers poll both, and those that take their places. Each writing of the source gives every
 * object its number, and adds an object; none is ever deleted.
 */
@Timeout(120)
class ServingCrashTest {
  private static final int OBJECTS = 40;

  /** Who asks without any leaves no processor to those who are to start. */
  private static final long PAUSE_MILLIS = 10;

  @TempDir Path folder;
  private LedgerTestDatabase ledger;
  private BuildProcess builds;
  private Place one;
  private Place two;

  /** The newest name that was given each object, and answered as durable. */
  private final Map<String, Integer> edited = new ConcurrentHashMap<>();

  private final AtomicLong lastEdit = new AtomicLong();
  private final AtomicInteger polls = new AtomicInteger();
  private volatile boolean over;

  @BeforeEach
  void serve() throws IOException {
    ledger = LedgerTestDatabase.create();
    builds = new BuildProcess(ledger.dataSource(), folder);
    register();
    write(1);
    builds.build(LIVE, Watch.NONE);
    one = new Place("one");
    two = new Place("two");
    one.process.awaitReady();
    two.process.awaitReady();
  }

  @AfterEach
  void close() throws InterruptedException {
    over = true;
    one.process.kill();
    two.process.kill();
    ledger.close();
  }

  /** A process that answers; once it is killed, the one that has taken its place. */
  private final class Place {
    private final String name;
    private volatile ServingProcess process;

    private Place(String name) throws IOException {
      this.name = name;
      this.process = ServingProcess.start(ledger.jdbcUrl(), folder, name);
    }

    private void succeed() throws IOException {
      process = ServingProcess.start(ledger.jdbcUrl(), folder, name).awaitReady();
    }

    private void awaitSuccessor(ServingProcess ended, IOException end) throws Exception {
      if (!ended.isKilled()) {
        throw end;
      }
      while (!over && process == ended) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }

    private Generation seen() throws IOException {
      return process.search(0).generation();
    }

    private void awaitSeen(int revision, long generation) throws Exception {
      while (!is(seen(), revision, generation)) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  // Issue 8, point 2; D2, D7, D9, D10, D-g2, c-L1, c-L4: of each process that answers
  @Test
  void whatAKilledProcessAnsweredTheOthersAndItsSuccessorAnswerToo() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> work =
        List.of(
            threads.submit(() -> poll(one)),
            threads.submit(() -> poll(two)),
            threads.submit(this::edit));

    whileABuildGoesOnAndEditsAreMade();
    beforeAReplacementIsOpen();
    asAnotherIndexTakesOver();

    over = true;
    for (Future<?> each : work) {
      each.get();
    }
    threads.shutdown();
    assertThat(polls).hasValueGreaterThan(20);
    assertThat(edited).hasSizeGreaterThan(5);
  }

  private void whileABuildGoesOnAndEditsAreMade() throws Exception {
    write(2);
    builds.build(LIVE, new AtThird(one.process));
    two.awaitSeen(1, 2);
    one.succeed();
    assertThat(one.seen()).matches(seen -> is(seen, 1, 2));
  }

  private void beforeAReplacementIsOpen() throws Exception {
    register("mail");
    write(3);
    one.process.kill();
    isSeen("one", "1 hour");
    builds.build(REPLACEMENT, Watch.NONE);
    awaitOpen(
        "two", new ObjectIndexes(ledger.dataSource()).in(TYPE, Role.REPLACEMENT).orElseThrow());
    assertThat(tryToSwitch()).isEqualTo(new SwitchOutcome(false, "it is not open yet in one"));
    isSeen("one", "0 seconds");
    assertThat(tryToSwitch().switched()).isTrue();
    one.succeed();
    assertThat(one.seen()).matches(seen -> is(seen, 2, 1));
    two.awaitSeen(2, 1);
  }

  private void asAnotherIndexTakesOver() throws Exception {
    new Replacements(ledger.dataSource()).rollBack(TYPE);
    two.process.kill();
    two.succeed();
    assertThat(two.seen()).matches(seen -> is(seen, 1, 2));
    one.awaitSeen(1, 2);
    builds.build(LIVE, Watch.NONE);
    one.awaitSeen(1, 3);
    two.awaitSeen(1, 3);
  }

  /** In the test's time: a process that is dead is seen for half a minute more. */
  private void isSeen(String process, String more) {
    ledger.execute(
        """
        update tidemark.object_serving set seen_until = clock_timestamp() + interval '%s'
         where process = '%s'
        """
            .formatted(more, process));
  }

  private void register(String... more) {
    List<String> properties = new ArrayList<>(List.of("written"));
    properties.addAll(List.of(more));
    new ObjectDefinitions(ledger.dataSource())
        .register(
            Customers.type(
                new Datasource.Snapshot(), "objects", properties.toArray(String[]::new)));
  }

  private void write(int number) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < OBJECTS + number; i++) {
      rows.append(
          "{\"id\":%d,\"name\":\"-1\",\"written\":\"%d\",\"mail\":\"m\"}\n".formatted(i, number));
    }
    Path input = Files.createDirectories(folder.resolve("input"));
    Files.writeString(input.resolve("all.ndjson"), rows);
  }

  private SwitchOutcome tryToSwitch() {
    return new Replacements(ledger.dataSource()).tryToSwitch(TYPE, 2);
  }

  /** By the revision of the index, and its generation. */
  private boolean is(Generation seen, int revision, long generation) {
    return seen.generation() == generation
        && new ObjectIndexes(ledger.dataSource()).get(seen.index()).revision() == revision;
  }

  private void awaitOpen(String process, ObjectIndex index) throws Exception {
    ServingProcesses processes = new ServingProcesses(ledger.dataSource());
    while (processes.of(index).stream()
        .noneMatch(seen -> seen.process().equals(process) && seen.generation() == 1)) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private @Nullable Void edit() throws Exception {
    for (int i = 0; !over; i++) {
      ServingProcess process = one.process;
      String key = Integer.toString(i % OBJECTS);
      Thread.sleep(PAUSE_MILLIS);
      try {
        OptionalLong made = process.edit(key, Integer.toString(i));
        if (made.isPresent()) {
          lastEdit.set(made.getAsLong());
          edited.put(key, i);
        }
      } catch (IOException e) {
        one.awaitSuccessor(process, e);
      }
    }
    return null;
  }

  private @Nullable Void poll(Place asked) throws Exception {
    Map<Long, Generation> newest = new HashMap<>();
    while (!over) {
      ServingProcess process = asked.process;
      Map<String, Integer> known = Map.copyOf(edited);
      Thread.sleep(PAUSE_MILLIS);
      try {
        Seen seen = process.search(lastEdit.get());
        checkOneState(seen, known);
        Generation now = seen.generation();
        Generation before = newest.put(now.index(), now);
        assertThat(now.generation())
            .isGreaterThanOrEqualTo(before == null ? 1 : before.generation());
        assertThat(now.editOffset())
            .isGreaterThanOrEqualTo(before == null ? 0 : before.editOffset());
        polls.incrementAndGet();
      } catch (IOException e) {
        asked.awaitSuccessor(process, e);
      }
    }
    return null;
  }

  private static void checkOneState(Seen seen, Map<String, Integer> known) {
    Set<String> written =
        seen.objects().values().stream()
            .map(values -> String.valueOf(values.get("written")))
            .collect(Collectors.toSet());
    assertThat(written).as("of one generation").hasSize(1);
    assertThat(seen.objects()).hasSize(OBJECTS + Integer.parseInt(written.iterator().next()));
    known.forEach(
        (key, name) ->
            assertThat(
                    Integer.parseInt(
                        String.valueOf(
                            Objects.requireNonNull(seen.objects().get(key)).get("name"))))
                .as("the name of %s at %s", key, seen.generation())
                .isGreaterThanOrEqualTo(name));
  }

  /** The process is killed in the middle of a build. */
  private static final class AtThird implements Watch {
    private final ServingProcess process;
    private int asked;

    private AtThird(ServingProcess process) {
      this.process = process;
    }

    @Override
    public void beat() {
      // Goes on.
    }

    @Override
    public void confirm(String step) {
      if (++asked == 3) {
        try {
          process.kill();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
