package dev.tidemark.activities.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;

/**
 * A reader who follows the reading protocol (contracts, section 4) by the names of the manifest and
 * by wildcard, over and over. Every part says which run wrote it and how many there are: a partial
 * or mixed partition cannot pass for a whole one.
 */
final class WatchingReader implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long PAUSE_NANOS = 500_000;

  private final OutputStore store;
  private final String folder;
  private final Set<String> seen = new ConcurrentSkipListSet<>();
  private final CompletableFuture<Void> watching;
  private volatile boolean closed;

  WatchingReader(OutputStore store, String folder) {
    this.store = store;
    this.folder = folder;
    this.watching = CompletableFuture.runAsync(this::watch);
  }

  /** What a run writes into its part of this number. */
  static String part(String run, int number, int parts) {
    return run + " " + number + " of " + parts;
  }

  private void watch() {
    try {
      while (!closed) {
        seen.add(read().orElse("absent"));
        // Leaves the processors to the attempts that it watches.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The run whose output is there, or empty if the partition is absent. */
  Optional<String> read() throws IOException {
    while (true) {
      Optional<JsonNode> before = manifest();
      if (before.isEmpty()) {
        return Optional.empty();
      }
      List<String> named = new ArrayList<>();
      before.get().get("files").forEach(file -> named.add(folder + file.get("name").asText()));
      List<String> byName = contents(named);
      List<String> globbed = parts();
      List<String> byWildcard = contents(globbed);
      Optional<JsonNode> after = manifest();
      if (after.isPresent() && after.get().get("token").equals(before.get().get("token"))) {
        if (!globbed.equals(named) || !byWildcard.equals(byName)) {
          throw new AssertionError("the manifest names " + named + " and part-* finds " + globbed);
        }
        return Optional.of(run(byName));
      }
    }
  }

  private static String run(List<String> contents) {
    Set<String> runs = new TreeSet<>();
    for (int i = 0; i < contents.size(); i++) {
      String content = contents.get(i);
      int end = content.indexOf(' ');
      String run = end < 0 ? content : content.substring(0, end);
      runs.add(run);
      if (!content.equals(part(run, i, contents.size()))) {
        throw new AssertionError("partial or mixed: " + contents);
      }
    }
    if (runs.size() > 1) {
      throw new AssertionError("mixed: " + contents);
    }
    return runs.isEmpty() ? "no rows" : runs.iterator().next();
  }

  private Optional<JsonNode> manifest() throws IOException {
    Optional<StoredText> marker = store.read(folder + "_manifest.json");
    return marker.isEmpty() ? Optional.empty() : Optional.of(MAPPER.readTree(marker.get().text()));
  }

  /** What {@code part-*} finds. */
  List<String> parts() throws IOException {
    List<String> names = new ArrayList<>();
    store.walk(folder + "part-", null, object -> names.add(object.name()));
    return names;
  }

  /** Everything in the partition's folder. */
  List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    store.walk(folder, null, object -> names.add(object.name()));
    return names;
  }

  private List<String> contents(List<String> names) throws IOException {
    List<String> contents = new ArrayList<>();
    for (String name : names) {
      try (InputStream in = store.open(name)) {
        contents.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      } catch (NoSuchFileException e) {
        // Only with a marker of another token after it: the comparison fails otherwise.
        contents.add("gone " + names);
      }
    }
    return contents;
  }

  /** What it saw: runs, and {@code absent}. Fails if it saw anything but whole partitions. */
  Set<String> seen() {
    closed = true;
    watching.join();
    return seen;
  }

  @Override
  public void close() {
    closed = true;
  }
}
