package dev.tidemark.activities.publish;

import dev.tidemark.activities.store.ForwardingStaging;
import dev.tidemark.activities.store.ForwardingStore;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagedUpload;
import dev.tidemark.activities.store.Staging;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.StoredText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store that does something else before one of its steps: to be killed there, or overtaken. */
final class SteppedStore extends ForwardingStore {
  /** What happens before a step. */
  @FunctionalInterface
  interface Interruption {
    void happen() throws IOException;
  }

  private final int step;
  private final Interruption interruption;
  private int steps;

  SteppedStore(OutputStore store, int step, Interruption interruption) {
    super(store);
    this.step = step;
    this.interruption = interruption;
  }

  /** Whether the step was reached. */
  boolean wasReached() {
    return steps > step;
  }

  private void step() throws IOException {
    if (steps++ == step) {
      interruption.happen();
    }
  }

  @Override
  public void endEarlier(StagingId id, List<StagedUpload> uploads) throws IOException {
    step();
    super.endEarlier(id, uploads);
  }

  @Override
  public Optional<StoredText> read(String name) throws IOException {
    step();
    return super.read(name);
  }

  @Override
  public InputStream open(String name) throws IOException {
    step();
    return super.open(name);
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    step();
    super.walk(prefix, after, visitor);
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
    step();
    return super.deleteIfUnchanged(name, version);
  }

  @Override
  public void delete(String name) throws IOException {
    step();
    super.delete(name);
  }

  @Override
  public Staging stage(StagingId id) {
    return new SteppedStaging(super.stage(id));
  }

  private final class SteppedStaging extends ForwardingStaging {

    SteppedStaging(Staging staging) {
      super(staging);
    }

    @Override
    public String add(Path file, String target) throws IOException {
      step();
      return super.add(file, target);
    }

    @Override
    public void add(String text, String target) throws IOException {
      step();
      super.add(text, target);
    }

    @Override
    public void promote(List<String> targets) throws IOException {
      // One by one: a kill may come between any two.
      for (String target : targets) {
        step();
        super.promote(List.of(target));
      }
    }

    @Override
    public boolean promoteIfAbsent(String target) throws IOException {
      step();
      return super.promoteIfAbsent(target);
    }
  }
}
