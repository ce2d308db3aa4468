package dev.tidemark.worker.configuration;

import java.nio.file.Path;
import java.util.Map;

/**
 * Reads {@code tidemark.yaml} and finds every problem in it at once, each with file, line, key,
 * value, rule and the way out (issue 3, "Bad input, and what it gets"). Changes nothing, connects
 * to nothing.
 */
public final class ConfigurationLoader {
  private final Map<String, String> environment;

  /** With the variables that {@code ${NAME}} stands for: {@code System.getenv()} in a process. */
  public ConfigurationLoader(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /**
   * The configuration in the file.
   *
   * @throws ConfigurationException with every problem, if there is one
   */
  public Configuration load(Path file) throws ConfigurationException {
    throw new UnsupportedOperationException("to be built: " + file + environment.size());
  }
}
