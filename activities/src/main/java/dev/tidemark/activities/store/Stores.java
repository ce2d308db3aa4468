package dev.tidemark.activities.store;

/** The stores of this process, by location. */
@FunctionalInterface
public interface Stores {
  /**
   * The store of a location: a folder, or {@code connection:name/prefix}. Nothing is asked of it
   * yet.
   *
   * @throws IllegalArgumentException if the location names no known connection
   */
  OutputStore open(String location);
}
