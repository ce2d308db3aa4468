package dev.tidemark.worker.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the process finds around it.
 *
 * @param variables the environment
 * @param tools where programs are kept between commands and shared by configurations
 */
record Surroundings(Map<String, String> variables, Path tools) {
  Surroundings {
    variables = Map.copyOf(variables);
  }

  /** This process's: tools in the project's own folder, else in the user's cache. */
  static Surroundings ofProcess() {
    Map<String, String> variables = System.getenv();
    String home = System.getProperty("tidemark.home");
    return new Surroundings(
        variables, home == null ? cache(variables) : Path.of(home).resolve(".tools"));
  }

  private static Path cache(Map<String, String> variables) {
    String cache = variables.get("XDG_CACHE_HOME");
    return (cache == null || cache.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache))
        .resolve("tidemark");
  }

  /** A variable that is set and not blank. */
  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
  }

  /** A program on the PATH. */
  Optional<Path> program(String name) {
    @Nullable String path = variables.get("PATH");
    return path == null
        ? Optional.empty()
        : Stream.of(path.split(File.pathSeparator, -1))
            .filter(folder -> !folder.isBlank())
            .map(folder -> Path.of(folder).resolve(name))
            .filter(Files::isRegularFile)
            .filter(Files::isExecutable)
            .findFirst();
  }
}
