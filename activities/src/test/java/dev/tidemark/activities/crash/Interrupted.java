package dev.tidemark.activities.crash;

import dev.tidemark.activities.store.ForwardingStaging;
import dev.tidemark.activities.store.ForwardingStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagedUpload;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real store that is left at one point of the protocol, once. The product has no such points: it
 * pays nothing for them.
 */
final class Interrupted extends ForwardingStore {
  private final Point point;
  private final Runnable interruption;
  private int parts;
  private int promoted;
  private int removed;

  Interrupted(OutputStore store, Point point, Runnable interruption) {
    super(store);
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
    return new InterruptedStaging(super.stage(id));
  }

  @Override
  public void endEarlier(StagingId id, List<StagedUpload> uploads) throws IOException {
    at(Point.BEFORE_ENDING_EARLIER_STAGINGS);
    super.endEarlier(id, uploads);
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    at(Point.BEFORE_LISTING_THE_PARTS);
    super.walk(prefix, after, visitor);
  }

  @Override
  public void delete(String name) throws IOException {
    removing(name);
    super.delete(name);
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
    removing(name);
    return super.deleteIfUnchanged(name, version);
  }

  private final class InterruptedStaging extends ForwardingStaging {

    InterruptedStaging(Staging staging) {
      super(staging);
    }

    @Override
    public String add(Path file, String target) throws IOException {
      parts++;
      if (parts <= 2) {
        at(parts == 1 ? Point.BEFORE_STAGING_A_PART : Point.BEFORE_STAGING_THE_SECOND_PART);
      }
      return super.add(file, target);
    }

    @Override
    public void add(String text, String target) throws IOException {
      at(Point.BEFORE_STAGING_THE_MARKER);
      super.add(text, target);
      at(Point.AFTER_STAGING_THE_MARKER);
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
        super.promote(List.of(target));
      }
    }

    @Override
    public boolean promoteIfAbsent(String target) throws IOException {
      at(Point.BEFORE_PROMOTING_THE_MARKER);
      boolean done = super.promoteIfAbsent(target);
      at(Point.AFTER_PROMOTING_THE_MARKER);
      return done;
    }
  }
}
