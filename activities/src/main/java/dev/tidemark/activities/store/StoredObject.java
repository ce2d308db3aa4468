package dev.tidemark.activities.store;

/**
 * An object that a walk came by.
 *
 * @param name relative to the store's location
 */
public record StoredObject(String name, long bytes) {}
