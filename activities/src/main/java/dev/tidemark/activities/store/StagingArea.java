package dev.tidemark.activities.store;

import java.util.regex.Pattern;

/**
 * Where attempts stage.
 *
 * @param folder for stagings, relative to the store's location, on stores that keep them there
 * @param prefix of the names that they are promoted to
 * @param targets what those names look like, whole: a location is often shared with others
 * @param mayCopy whether a file system that does not move files at once may copy them: where the
 *     definition says that readers wait for the marker
 */
public record StagingArea(String folder, String prefix, Pattern targets, boolean mayCopy) {
  /** Of files that are moved at once, or not at all. */
  public StagingArea(String folder, String prefix, Pattern targets) {
    this(folder, prefix, targets, false);
  }
}
