package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A configuration written to a file and read, as every test here does. */
record ConfigurationFile(Path file, Map<String, String> environment) {

  static ConfigurationFile in(Path folder) {
    return new ConfigurationFile(
        folder.resolve("tidemark.yaml"),
        Map.of("TEMPORAL_CONFIG_FILE", folder.resolve("none.toml").toString()));
  }

  Configuration load(String yaml) throws IOException, ConfigurationException {
    Files.writeString(file, yaml);
    return new ConfigurationLoader(environment).load(file);
  }

  List<Problem> problems(String yaml) throws IOException {
    Files.writeString(file, yaml);
    return problems();
  }

  List<Problem> problems() {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class, () -> new ConfigurationLoader(environment).load(file));
    return refused == null ? List.of() : refused.problems();
  }
}
