package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.query.Filter;
import dev.tidemark.activities.index.query.FoundObjects;
import dev.tidemark.activities.index.query.ObjectQuery;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a client waits for its answers that asks at a fixed rate, in turn while nothing else happens
 * and while the index is replaced in the same process: built, fetched, opened, and switched to.
 */
final class QueryCost {
  private static final String TYPE = Customers.TYPE.name();
  private static final int PAGE = 20;
  private static final List<ObjectQuery.Sorting> BY_NAME =
      List.of(new ObjectQuery.Sorting("name", true));

  private static final long EVERY_NANOS = 10_000_000;
  private static final long WARM_UP_NANOS = 10_000_000_000L;

  /** The first questions to the other index are among those asked meanwhile. */
  private static final long AFTER_SWITCH_NANOS = 2_000_000_000L;

  private static final double MOST_RATIO = 2;

  private final ObjectReader reader;
  private final CustomerBuilds builds;
  private final int objects;
  private final List<Double> idle = new ArrayList<>();
  private final List<Double> replacing = new ArrayList<>();
  private final List<Double> ratios = new ArrayList<>();
  private long asked;

  private QueryCost(ObjectReader reader, CustomerBuilds builds, int objects) {
    this.reader = reader;
    this.builds = builds;
    this.objects = objects;
  }

  static void run(DataSource ledger, Path folder, int objects, int rounds) throws Exception {
    Path home = Files.createDirectory(folder.resolve("queries"));
    Stores stores = new ConfiguredStores(home, Connections.NONE, Clock.systemUTC());
    CustomerBuilds builds =
        new CustomerBuilds(
            ledger, stores.open(Customers.TYPE.location()), home.resolve("segments"), objects);
    builds.first();
    try (ObjectReader reader = ObjectReader.open(ledger, stores, "benchmark", any -> true)) {
      if (!reader.await(TYPE, Duration.ofMinutes(1))) {
        throw new IllegalStateException("the index was not opened within a minute");
      }
      QueryCost cost = new QueryCost(reader, builds, objects);
      cost.warmUp();
      for (int round = 0; round < rounds; round++) {
        cost.round();
      }
      cost.report();
    }
    Folders.remove(home);
  }

  /** The compilers of the JVM are done after these. */
  private void warmUp() throws Exception {
    whileReplacing();
    ask(after(WARM_UP_NANOS));
    Figures.note("warmed up");
  }

  private void round() throws Exception {
    long began = System.nanoTime();
    List<Double> meanwhile = whileReplacing();
    List<Double> quiet = ask(after(System.nanoTime() - began));
    double ratio = p99(meanwhile) / p99(quiet);
    Figures.note(
        "%d answers while replacing, p99 %.2f ms, at most %.1f ms; idle p99 %.2f ms, at most %.1f ms"
            .formatted(
                meanwhile.size(),
                p99(meanwhile),
                quantile(meanwhile, 1),
                p99(quiet),
                quantile(quiet, 1)));
    idle.addAll(quiet);
    replacing.addAll(meanwhile);
    ratios.add(ratio);
  }

  private void report() {
    Figures.figure(
        "queries of %,d objects while replacing : idle, p99".formatted(objects),
        "%.2f (%.2f and %.2f ms; by rounds %.2f, at most %.0f)",
        p99(replacing) / p99(idle),
        p99(replacing),
        p99(idle),
        Figures.median(ratios),
        MOST_RATIO);
    Figures.figure(
        "the same, median", "%.2f and %.2f ms", Figures.median(replacing), Figures.median(idle));
  }

  private List<Double> whileReplacing() throws IOException {
    CompletableFuture<Void> replacement =
        CompletableFuture.runAsync(
            () -> {
              try {
                builds.replace();
              } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    List<Double> waited = ask(replacement::isDone);
    replacement.join();
    waited.addAll(ask(after(AFTER_SWITCH_NANOS)));
    return waited;
  }

  private static BooleanSupplier after(long nanos) {
    long until = System.nanoTime() + nanos;
    return () -> System.nanoTime() >= until;
  }

  /**
   * Milliseconds from when each question was due to its answer: one that is late makes others so.
   */
  private List<Double> ask(BooleanSupplier isDone) throws IOException {
    List<Double> waited = new ArrayList<>();
    for (long due = System.nanoTime(); !isDone.getAsBoolean(); due += EVERY_NANOS) {
      for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
        LockSupport.parkNanos(early);
      }
      ask(Customers.mixed(asked++));
      waited.add((System.nanoTime() - due) / 1e6);
    }
    return waited;
  }

  /**
   * Four in ten by key; two each by filter, by words, and in an order, of which half turn a page.
   */
  private void ask(long chance) throws IOException {
    long which = chance / 10;
    switch ((int) (chance % 10)) {
      case 0, 1 -> search(Filter.eq("city", "city-" + which % Customers.CITIES), null, List.of());
      case 2, 3 -> search(Filter.EVERY, "street " + which % Customers.STREETS, List.of());
      case 4 -> search(Filter.eq("age", which % Customers.AGES), null, BY_NAME);
      case 5 -> {
        ObjectQuery first = query(Filter.eq("age", which % Customers.AGES), null, BY_NAME);
        search(first.from(search(first).next()));
      }
      default -> found(Long.toString(which % objects));
    }
  }

  private void found(String key) throws IOException {
    if (reader.get(TYPE, key, 0).object().isEmpty()) {
      throw new IllegalStateException("there is no customer " + key);
    }
  }

  private void search(Filter filter, @Nullable String text, List<ObjectQuery.Sorting> sort)
      throws IOException {
    search(query(filter, text, sort));
  }

  private FoundObjects search(ObjectQuery query) throws IOException {
    FoundObjects found = reader.search(TYPE, query, 0);
    if (found.objects().isEmpty()) {
      throw new IllegalStateException("nothing is found by " + query);
    }
    return found;
  }

  private static ObjectQuery query(
      Filter filter, @Nullable String text, List<ObjectQuery.Sorting> sort) {
    return new ObjectQuery(filter, text, sort, PAGE, null);
  }

  private static double p99(List<Double> waited) {
    return quantile(waited, 0.99);
  }

  private static double quantile(List<Double> waited, double share) {
    List<Double> sorted = waited.stream().sorted().toList();
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }
}
