package dev.tidemark.activities.store;

/**
 * An object that a walk came by.
 *
 * @param name relative to the store's location
 */
public record StoredObject(String name, long bytes) {
  /** The name after the last slash. */
  public String base() {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
