package dev.tidemark.activities.store;

import java.util.regex.Pattern;

/**
 * Where attempts stage.
 *
 * @param folder for stagings, relative to the store's location, on stores that keep them there
 * @param prefix of the names that they are promoted to
 * @param targets what those names look like, whole: a location is often shared with others
 */
public record StagingArea(String folder, String prefix, Pattern targets) {}
