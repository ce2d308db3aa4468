package dev.tidemark.activities.store;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where outputs are kept: as much of a file system or an object store as the publish protocol
 * needs, and no more. Names are relative to the store's location, with {@code /} between their
 * segments.
 */
public interface OutputStore {

  /**
   * Opens the staging of one attempt, where no reader looks; nothing is written before it is used.
   */
  Staging stage(StagingId id);

  /**
   * Takes away the staging of every attempt of the same partition with a smaller token: what such
   * an attempt still tries to promote then fails by itself.
   */
  void endEarlier(StagingId id) throws IOException;

  /** The text of a small object (at most 64 MB), or empty if there is none. */
  Optional<String> read(String name) throws IOException;

  /** SHA-256 of an object's content in hex, or empty if there is none. */
  Optional<String> digest(String name) throws IOException;

  /** Names of the files directly in a folder, sorted; empty if there is no such folder. */
  List<String> list(String folder) throws IOException;

  /** Removes an object durably; one that is not there is no error. */
  void delete(String name) throws IOException;

  /** Removes the stagings of an area that are older than {@code age}; returns how many. */
  int removeAbandoned(String area, Duration age) throws IOException;

  /** The full address of a name, for people and for the ledger. */
  String address(String name);
}
