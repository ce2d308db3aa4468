package dev.tidemark.activities.store;

/**
 * A small object as it was read.
 *
 * @param version tells this content from any other that has the name; opaque, for {@link
 *     OutputStore#deleteIfUnchanged}
 */
public record StoredText(String text, String version) {}
