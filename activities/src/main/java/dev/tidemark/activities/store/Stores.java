package dev.tidemark.activities.store;

import dev.tidemark.activities.account.AccountKey;

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

  /**
   * The key that what stands for accounts in them is made with.
   *
   * @param check of the key
   * @throws IllegalArgumentException if this process has no such key
   */
  default AccountKey accountKey(String check) {
    throw new IllegalArgumentException("this process has no key of accounts");
  }
}
