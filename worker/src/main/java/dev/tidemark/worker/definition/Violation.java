package dev.tidemark.worker.definition;

/**
 * A rule that a definition breaks.
 *
 * @param key path of the key below the pipeline, as the file spells it: {@code partitions.start}
 * @param message the value, the rule and the way out
 */
public record Violation(String key, String message) {
  @Override
  public String toString() {
    return key + ": " + message;
  }
}
