package dev.tidemark.activities.store;

/**
 * Where attempts stage.
 *
 * @param folder for stagings, relative to the store's location, on stores that keep them there
 * @param targets prefix of the names that they are promoted to
 * @param holdsOnlyTargets whether all names with that prefix are such targets, whatever they look
 *     like; else only parts and markers are
 */
public record StagingArea(String folder, String targets, boolean holdsOnlyTargets) {
  public StagingArea(String folder, String targets) {
    this(folder, targets, false);
  }
}
