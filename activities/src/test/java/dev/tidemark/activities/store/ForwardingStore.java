package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A real store, for those that change one of its steps. */
public abstract class ForwardingStore implements OutputStore {
  private final OutputStore store;

  protected ForwardingStore(OutputStore store) {
    this.store = store;
  }

  @Override
  public Staging stage(StagingId id) {
    return store.stage(id);
  }

  @Override
  public void endEarlier(StagingId id, List<StagedUpload> uploads) throws IOException {
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
    store.walk(prefix, after, visitor);
  }

  @Override
  public void delete(String name) throws IOException {
    store.delete(name);
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
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
}
