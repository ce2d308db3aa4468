package dev.tidemark.activities.publish;

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

/** A store that does something else before one of its steps: to be killed there, or overtaken. */
final class SteppedStore implements OutputStore {
  /** What happens before a step. */
  @FunctionalInterface
  interface Interruption {
    void happen() throws IOException;
  }

  private final OutputStore store;
  private final int step;
  private final Interruption interruption;
  private int steps;

  SteppedStore(OutputStore store, int step, Interruption interruption) {
    this.store = store;
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
    store.endEarlier(id, uploads);
  }

  @Override
  public Optional<StoredText> read(String name) throws IOException {
    step();
    return store.read(name);
  }

  @Override
  public InputStream open(String name) throws IOException {
    step();
    return store.open(name);
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    step();
    store.walk(prefix, after, visitor);
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
    step();
    return store.deleteIfUnchanged(name, version);
  }

  @Override
  public Guarantees guarantees() throws IOException {
    return store.guarantees();
  }

  @Override
  public void delete(String name) throws IOException {
    step();
    store.delete(name);
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
  public Staging stage(StagingId id) {
    return new SteppedStaging(store.stage(id));
  }

  private final class SteppedStaging implements Staging {
    private final Staging staging;

    SteppedStaging(Staging staging) {
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
      step();
      return staging.add(file, target);
    }

    @Override
    public void add(String text, String target) throws IOException {
      step();
      staging.add(text, target);
    }

    @Override
    public void secure() throws IOException {
      staging.secure();
    }

    @Override
    public List<StagedUpload> uploads() {
      return staging.uploads();
    }

    @Override
    public void promote(List<String> targets) throws IOException {
      // One by one: a kill may come between any two.
      for (String target : targets) {
        step();
        staging.promote(List.of(target));
      }
    }

    @Override
    public boolean promoteIfAbsent(String target) throws IOException {
      step();
      return staging.promoteIfAbsent(target);
    }

    @Override
    public void close() throws IOException {
      staging.close();
    }
  }
}
