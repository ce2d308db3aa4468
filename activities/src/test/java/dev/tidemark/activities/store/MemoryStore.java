package dev.tidemark.activities.store;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A store in memory, which honours every condition and fails as it is told to. */
public final class MemoryStore implements OutputStore {
  private final SortedMap<String, Stored> objects = new TreeMap<>(StoredObject.BYTE_ORDER);
  private final Map<String, String> uploads = new HashMap<>();
  private final Map<Moment, Integer> faults = new HashMap<>();
  private long made;

  private record Stored(String content, long version) {}

  /** When a planned fault happens. */
  public enum Moment {
    /** Before a promotion: it has not happened. */
    BEFORE_PROMOTION,
    /** After a promotion: it has happened, and only the answer is lost. */
    AFTER_PROMOTION,
    /** Instead of the answer to a read. */
    READ
  }

  /** Plans a fault for the next so many times. */
  public synchronized void fail(Moment moment, int times) {
    faults.put(moment, times);
  }

  private synchronized void at(Moment moment) throws StoreException {
    int left = faults.getOrDefault(moment, 0);
    if (left > 0) {
      faults.put(moment, left - 1);
      throw new StoreException(StoreException.Kind.UNREACHABLE, "planned: " + moment, null);
    }
  }

  /** Puts an object there. */
  public synchronized void put(String name, String content) {
    objects.put(check(name), new Stored(content, ++made));
  }

  private static String check(String name) {
    if (List.of(name.split("/", -1)).contains("..")) {
      throw new IllegalArgumentException("'" + name + "' leads out of memory");
    }
    return name;
  }

  @Override
  public Staging stage(StagingId id) {
    return new MemoryStaging();
  }

  @Override
  public synchronized void endEarlier(StagingId id, List<StagedUpload> earlier) {
    earlier.forEach(upload -> uploads.remove(upload.upload()));
  }

  @Override
  public synchronized Optional<StoredText> read(String name) throws IOException {
    at(Moment.READ);
    return Optional.ofNullable(objects.get(check(name)))
        .map(stored -> new StoredText(stored.content(), Long.toString(stored.version())));
  }

  @Override
  public InputStream open(String name) throws IOException {
    return new ByteArrayInputStream(
        read(name)
            .orElseThrow(() -> new NoSuchFileException(name))
            .text()
            .getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    List<StoredObject> found = new ArrayList<>();
    synchronized (this) {
      objects.forEach(
          (name, stored) -> {
            if (name.startsWith(prefix)
                && (after == null || StoredObject.BYTE_ORDER.compare(name, after) > 0)) {
              int bytes = stored.content().getBytes(StandardCharsets.UTF_8).length;
              found.add(new StoredObject(name, bytes));
            }
          });
    }
    for (StoredObject object : found) {
      if (!visitor.visit(object)) {
        return;
      }
    }
  }

  @Override
  public synchronized void delete(String name) {
    objects.remove(check(name));
  }

  @Override
  public synchronized boolean deleteIfUnchanged(String name, String version) {
    Stored stored = objects.get(check(name));
    boolean same = stored == null || Long.toString(stored.version()).equals(version);
    if (same) {
      objects.remove(name);
    }
    return same;
  }

  /** All of them are as old as they will ever be. */
  @Override
  public synchronized int removeAbandoned(StagingArea area, Duration age) {
    int removed = age.isNegative() ? uploads.size() : 0;
    if (removed > 0) {
      uploads.clear();
    }
    return removed;
  }

  @Override
  public String address(String name) {
    return "memory:/" + name;
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(true, true);
  }

  private synchronized String upload(String content) {
    String id = "upload-" + ++made;
    uploads.put(id, content);
    return id;
  }

  /** Returns false if something has the name, and only absence will do. */
  private synchronized boolean promote(StagedUpload upload, boolean ifAbsent) throws IOException {
    at(Moment.BEFORE_PROMOTION);
    String content = uploads.get(upload.upload());
    if (content == null) {
      throw new NoSuchFileException(upload.target());
    }
    if (ifAbsent && objects.containsKey(upload.target())) {
      return false;
    }
    uploads.remove(upload.upload());
    put(upload.target(), content);
    at(Moment.AFTER_PROMOTION);
    return true;
  }

  private final class MemoryStaging implements Staging {
    private final Map<String, StagedUpload> staged = new HashMap<>();
    private @Nullable Path folder;

    @Override
    public Path folder() throws IOException {
      Path made = folder;
      if (made == null) {
        made = Files.createTempDirectory("tidemark-memory-");
        folder = made;
      }
      return made;
    }

    @Override
    public String share() throws IOException {
      return folder().toString();
    }

    @Override
    public void take() {}

    @Override
    public boolean isUsed() {
      return folder != null;
    }

    @Override
    public String add(Path file, String target) throws IOException {
      add(Files.readString(file), target);
      return Durably.digest(file);
    }

    @Override
    public void add(String text, String target) {
      staged.put(target, new StagedUpload(check(target), upload(text)));
    }

    @Override
    public List<StagedUpload> uploads() {
      return List.copyOf(staged.values());
    }

    private StagedUpload staged(String target) {
      return Optional.ofNullable(staged.get(target)).orElseThrow();
    }

    @Override
    public void promote(List<String> targets) throws IOException {
      for (String target : targets) {
        MemoryStore.this.promote(staged(target), false);
      }
    }

    @Override
    public boolean promoteIfAbsent(String target) throws IOException {
      StagedUpload upload = staged(target);
      if (MemoryStore.this.promote(upload, true)) {
        return true;
      }
      // As an object store does: an upload that was refused is not completed again.
      String content = uploads.remove(upload.upload());
      staged.put(target, new StagedUpload(target, upload(Objects.requireNonNull(content))));
      return false;
    }

    @Override
    public void close() throws IOException {
      synchronized (MemoryStore.this) {
        staged.values().forEach(upload -> uploads.remove(upload.upload()));
      }
      if (folder != null) {
        Durably.removeTree(folder);
      }
    }
  }
}
