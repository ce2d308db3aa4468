package dev.tidemark.activities.crash;

import dev.tidemark.activities.store.Guarantees;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagedUpload;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A real store that is left at one point of the protocol, once. The product has no such points: it
 * pays nothing for them.
 */
final class Interrupted implements OutputStore {
  private final OutputStore store;
  private final Point point;
  private final Runnable interruption;
  private int parts;
  private int promoted;
  private int removed;

  Interrupted(OutputStore store, Point point, Runnable interruption) {
    this.store = store;
    this.point = point;
    this.interruption = interruption;
  }

  private void at(Point reached) {
    if (reached == point) {
      interruption.run();
    }
  }

  private void removing(String name) {
    if (!name.contains("/part-")) {
      at(Point.BEFORE_REMOVING_THE_OLD_MARKER);
      return;
    }
    removed++;
    if (removed <= 2) {
      at(
          removed == 1
              ? Point.BEFORE_REMOVING_A_STALE_PART
              : Point.BEFORE_REMOVING_THE_SECOND_STALE_PART);
    }
  }

  @Override
  public Staging stage(StagingId id) {
    return new InterruptedStaging(store.stage(id));
  }

  @Override
  public void endEarlier(StagingId id, List<StagedUpload> uploads) throws IOException {
    at(Point.BEFORE_ENDING_EARLIER_STAGINGS);
    store.endEarlier(id, uploads);
  }

  @Override
  public Optional<StoredText> read(String name) throws IOException {
    return store.read(name);
  }

  @Override
  public InputStream open(String name) throws IOException {
    return store.open(name);
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    at(Point.BEFORE_LISTING_THE_PARTS);
    store.walk(prefix, after, visitor);
  }

  @Override
  public void delete(String name) throws IOException {
    removing(name);
    store.delete(name);
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
    removing(name);
    return store.deleteIfUnchanged(name, version);
  }

  @Override
  public int removeAbandoned(StagingArea area, Duration age) throws IOException {
    return store.removeAbandoned(area, age);
  }

  @Override
  public String address(String name) {
    return store.address(name);
  }

  @Override
  public Guarantees guarantees() throws IOException {
    return store.guarantees();
  }

  private final class InterruptedStaging implements Staging {
    private final Staging staging;

    InterruptedStaging(Staging staging) {
      this.staging = staging;
    }

    @Override
    public Path folder() throws IOException {
      return staging.folder();
    }

    @Override
    public String share() throws IOException {
      return staging.share();
    }

    @Override
    public void take() {
      staging.take();
    }

    @Override
    public boolean isUsed() {
      return staging.isUsed();
    }

    @Override
    public String add(Path file, String target) throws IOException {
      parts++;
      if (parts <= 2) {
        at(parts == 1 ? Point.BEFORE_STAGING_A_PART : Point.BEFORE_STAGING_THE_SECOND_PART);
      }
      return staging.add(file, target);
    }

    @Override
    public void add(String text, String target) throws IOException {
      at(Point.BEFORE_STAGING_THE_MARKER);
      staging.add(text, target);
      at(Point.AFTER_STAGING_THE_MARKER);
    }

    @Override
    public void secure() throws IOException {
      staging.secure();
    }

    @Override
    public List<StagedUpload> uploads() {
      return staging.uploads();
    }

    /** One by one: a kill may come between any two. */
    @Override
    public void promote(List<String> targets) throws IOException {
      for (String target : targets) {
        promoted++;
        if (promoted <= 2) {
          at(
              promoted == 1
                  ? Point.BEFORE_PROMOTING_A_PART
                  : Point.BEFORE_PROMOTING_THE_SECOND_PART);
        }
        staging.promote(List.of(target));
      }
    }

    @Override
    public boolean promoteIfAbsent(String target) throws IOException {
      at(Point.BEFORE_PROMOTING_THE_MARKER);
      boolean done = staging.promoteIfAbsent(target);
      at(Point.AFTER_PROMOTING_THE_MARKER);
      return done;
    }

    @Override
    public void close() throws IOException {
      staging.close();
    }
  }
}
