package dev.tidemark.worker.configuration;

import java.nio.file.Path;

/**
 * One thing wrong in a configuration.
 *
 * @param line from 1; 0 where the problem is the file itself
 * @param column from 1; 0 where the problem is the file itself
 * @param key path of the key, {@code pipelines[0].lookback}; empty for the file itself
 * @param message the value, the rule and the way out
 */
public record Problem(Path file, int line, int column, String key, String message) {

  /** {@code tidemark.yaml:12: pipelines[0].lookbak: is not a known key; ...}. */
  @Override
  public String toString() {
    return file.getFileName()
        + (line > 0 ? ":" + line : "")
        + ": "
        + (key.isEmpty() ? "" : key + ": ")
        + message;
  }
}
