package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What one attempt has made and not yet shown. Closing it removes whatever was not promoted; it is
 * closed in every case.
 */
public interface Staging extends AutoCloseable {

  /** An empty, private folder on the local file system for the task; made at the first call. */
  Path folder() throws IOException;

  /**
   * Makes a place for the files of a task in another process, which may outlive this object:
   * closing it takes nothing away.
   *
   * @return a folder's path or an object store's address, which ends with {@code /}
   */
  String share() throws IOException;

  /**
   * What such a task left there is this staging's from now on: it is in {@link #folder}, and
   * closing takes it away.
   */
  void take();

  /** Whether {@link #folder} was ever asked for, or something taken. */
  boolean isUsed();

  /**
   * Stages a file of the folder under the name that it will have; no reader sees it yet.
   *
   * @return SHA-256 of its content, in hex
   */
  String add(Path file, String target) throws IOException;

  /** Stages a small text. */
  void add(String text, String target) throws IOException;

  /** Begins to make durable what was staged; {@link #secure} waits for it. */
  default void startSecuring() {}

  /**
   * Returns when all that was staged, and every name that was promoted to, is durable: in some
   * stores each is from the beginning.
   */
  default void secure() throws IOException {}

  /** What was staged, as another attempt needs it to take it away; empty where it needs nothing. */
  List<StagedUpload> uploads();

  /**
   * Makes staged objects visible, each at once, over what had the name before; what was staged is
   * durable before. Their names are durable when {@link #secure} returns.
   *
   * @throws java.nio.file.NoSuchFileException if a later attempt has taken the staging away
   */
  void promote(List<String> targets) throws IOException;

  /**
   * Makes a staged object visible, durably, if nothing has its name. Where something has, some
   * stores have to stage it anew, as another of the {@link #uploads}: record them before the next
   * call, so that a later attempt can take it away.
   *
   * @return false if something has
   */
  boolean promoteIfAbsent(String target) throws IOException;

  @Override
  void close() throws IOException;
}
