package dev.tidemark.starter.configuration;

import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.connection.OutputStores;
import dev.tidemark.worker.process.ConnectionPools;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A line about each object store that outputs go to: what it guarantees, if it says so soon. */
public final class StoreNotes {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int AT_ONCE = 16;

  private StoreNotes() {}

  /** In the order of the outputs; none where all go to folders. */
  public static List<String> of(Configuration configuration, Clock clock)
      throws InterruptedException {
    Map<String, SortedSet<String>> buckets = OutputStores.of(configuration.pipelines()).buckets();
    if (buckets.isEmpty()) {
      return List.of();
    }
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, StoreNotes::daemon);
    try (ConnectionPools pools = ConnectionPools.of(configuration.connections())) {
      Stores stores = new ConfiguredStores(configuration.folder(), pools.connections(), clock);
      List<Callable<String>> questions = new ArrayList<>();
      buckets.forEach(
          (name, locations) -> {
            String location = locations.first();
            questions.add(() -> name + ": " + stores.open(location).guarantees().describe());
          });
      List<Future<String>> answers =
          threads.invokeAll(questions, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      List<String> notes = new ArrayList<>();
      List<String> names = List.copyOf(buckets.keySet());
      for (int i = 0; i < answers.size(); i++) {
        notes.add("note: " + note(names.get(i), answers.get(i)));
      }
      return notes;
    } finally {
      threads.shutdownNow();
    }
  }

  private static String note(String name, Future<String> answer) throws InterruptedException {
    String unknown = name + ": what this object store guarantees is not known: ";
    try {
      return answer.get();
    } catch (CancellationException e) {
      return unknown
          + "no answer in "
          + PATIENCE.toSeconds()
          + " s; `tidemark check-connections "
          + name
          + "` waits longer";
    } catch (ExecutionException e) {
      return unknown + Objects.requireNonNullElse(e.getCause(), e).getMessage();
    }
  }

  /** A store that does not answer does not keep the command. */
  private static Thread daemon(Runnable question) {
    Thread thread = new Thread(question, "store-notes");
    thread.setDaemon(true);
    return thread;
  }
}
