package dev.tidemark.activities.index.source;

import java.util.List;

/**
 * A transaction of a datasource that a build takes in.
 *
 * @param number its place among those of its datasource: a larger one is later
 * @param identity what of the datasource it is: a partition, a file, or all
 * @param version that it had when it was found
 * @param earlier the numbers that the same identity had before, if it was taken in already: it was
 *     written anew
 */
public record Transaction(long number, String identity, String version, List<Long> earlier) {
  public Transaction {
    earlier = List.copyOf(earlier);
  }
}
