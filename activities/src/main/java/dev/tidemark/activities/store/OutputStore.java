package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where outputs are kept: as much of a file system or an object store as the publish protocol
 * needs, and no more. Names are relative to the store's location, with {@code /} between their
 * segments. What cannot be found out is a {@link StoreException}, never "nothing there".
 */
public interface OutputStore {

  /**
   * Opens the staging of one attempt, where no reader looks; nothing is written before it is used.
   */
  Staging stage(StagingId id);

  /**
   * Takes away the staging of every attempt of the same partition with a smaller token: what such
   * an attempt still tries to promote then fails by itself.
   *
   * @param uploads what those attempts recorded of theirs in the ledger
   */
  void endEarlier(StagingId id, List<StagedUpload> uploads) throws IOException;

  /** A small text (at most 64 MB), or empty if there is none. */
  Optional<StoredText> read(String name) throws IOException;

  /**
   * An object's content; the caller closes it.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  InputStream open(String name) throws IOException;

  /**
   * Shows every object whose name starts with {@code prefix}, in the byte order of their names,
   * however many there are. Stagings are not shown.
   *
   * @param prefix of names, not of path segments: {@code dt=2026-09-0} shows ten days
   * @param after only names greater than this; null for all
   */
  void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException;

  /** Removes an object durably; one that is not there is no error. */
  void delete(String name) throws IOException;

  /**
   * Removes an object, where the store can tell ({@link Guarantees#deleteIfUnchanged}) only if it
   * is still the one that was read.
   *
   * @param version from {@link #read}
   * @return false if another object has the name now; nothing was removed then
   */
  boolean deleteIfUnchanged(String name, String version) throws IOException;

  /** Removes the stagings of an area that are older than {@code age}; returns how many. */
  int removeAbandoned(StagingArea area, Duration age) throws IOException;

  /** The full address of a name, for people and for the ledger. */
  String address(String name);

  /** What this store keeps of what is asked of it; found out by a probe, once. */
  Guarantees guarantees() throws IOException;

  /** Takes the objects of a walk. */
  @FunctionalInterface
  interface Visitor {
    /** Takes one object; returns false to end the walk. */
    boolean visit(StoredObject object) throws IOException;
  }
}
