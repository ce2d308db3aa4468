package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.ledger.Edits;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.index.ledger.ServingProcesses;
import dev.tidemark.activities.index.query.KeptViews;
import dev.tidemark.activities.index.serve.WantedIndexes.Wanted;
import dev.tidemark.activities.store.Stores;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps open in this process what questions are answered from: looks at the ledger four times a
 * second, takes over edits, follows switches, and hydrates new generations beside that, however
 * long that takes. While the ledger does not answer, what is open goes on being served.
 */
final class ObjectServing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ObjectServing.class);

  private static final Duration LOOK = Duration.ofMillis(250);

  /** Looks that are left out where there is no object type. */
  private static final int IDLE = 20;

  private final WantedIndexes wanted;
  private final Edits edits;
  private final Reports reports;
  private final Openings openings;
  private final Predicate<String> ours;
  private final Map<String, OpenIndexes> types = new ConcurrentHashMap<>();
  private final KeptViews kept;
  private final ScheduledExecutorService looks = Executors.newScheduledThreadPool(1, daemon());
  private final ExecutorService hydrations = Executors.newSingleThreadExecutor(daemon());
  private int idle;

  /**
   * @param process as the ledger is to call it; no other has the name
   * @param ours the object types that are served
   * @param kept views to let go once nobody uses them
   */
  ObjectServing(
      DataSource ledger, Stores stores, String process, Predicate<String> ours, KeptViews kept) {
    this.wanted = new WantedIndexes(ledger);
    ObjectIndexes indexes = new ObjectIndexes(ledger);
    this.edits = new Edits(ledger);
    this.reports = new Reports(new ServingProcesses(ledger), indexes, process);
    this.ours = ours;
    this.kept = kept;
    this.openings = new Openings(stores, indexes, hydrations);
  }

  private static ThreadFactory daemon() {
    return work -> {
      Thread thread = new Thread(work, "tidemark-objects");
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Starts to look. */
  void start() {
    // It ends with its thread.
    ScheduledFuture<?> unused =
        looks.scheduleWithFixedDelay(this::lookSafely, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The indexes of an object type, or empty where none was ever built, or it is not ours. */
  Optional<OpenIndexes> of(String type) {
    return Optional.ofNullable(types.get(type));
  }

  private void lookSafely() {
    kept.forget();
    if (idle > 0 && --idle > 0) {
      return;
    }
    try {
      look();
    } catch (RuntimeException e) {
      if (!looks.isShutdown()) {
        log.warn("cannot follow the indexes of objects; what is open is served as it is", e);
      }
      idle = IDLE;
    }
  }

  /** One look at the ledger. */
  private void look() {
    Map<String, List<Wanted>> all =
        wanted.all().stream()
            .filter(one -> ours.test(one.type()))
            .collect(Collectors.groupingBy(Wanted::type, TreeMap::new, Collectors.toList()));
    types
        .entrySet()
        .removeIf(
            type -> {
              boolean isGone = !all.containsKey(type.getKey());
              if (isGone) {
                type.getValue().close();
              }
              return isGone;
            });
    all.forEach(this::follow);
    Set<Long> indexes =
        all.values().stream().flatMap(List::stream).map(Wanted::index).collect(Collectors.toSet());
    reports.forgetAllBut(indexes);
    openings.keepOnly(indexes);
    idle = all.isEmpty() ? IDLE : 0;
  }

  private void follow(String name, List<Wanted> all) {
    OpenIndexes open = types.computeIfAbsent(name, any -> new OpenIndexes(edits));
    try {
      if (open.isBehind(all.get(0).editOffset())) {
        open.catchUp();
      }
      Long serving = all.get(0).serving();
      if (serving != null) {
        open.serve(serving);
      }
      open.keepOnly(all.stream().map(Wanted::index).collect(Collectors.toSet()));
    } catch (IOException | RuntimeException e) {
      log.warn("cannot follow '{}'; tried again", name, e);
    }
    for (Wanted one : all) {
      if (one.generation() > 0 && !open.has(one.index(), one.generation())) {
        openings.begin(open, one.index());
      }
      reports.tell(one.index(), open.find(one.index()), openings.problem(one.index()));
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
    hydrations.shutdownNow();
    try {
      if (!looks.awaitTermination(5, TimeUnit.SECONDS)
          || !hydrations.awaitTermination(5, TimeUnit.SECONDS)) {
        log.info("a hydration is still under way; what it fetched is removed with the process");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    types.values().forEach(OpenIndexes::close);
    types.clear();
    openings.close();
    reports.forgetAll();
  }
}
