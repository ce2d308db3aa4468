package dev.tidemark.activities.store;

/**
 * Where attempts stage.
 *
 * @param folder for stagings, relative to the store's location, on stores that keep them there
 * @param targets prefix of the names that they are promoted to
 */
public record StagingArea(String folder, String targets) {}
