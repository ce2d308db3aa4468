package dev.tidemark.starter.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs that {@code deploy/tools/install-validators} has installed. */
final class Validator {
  private static final Path PROGRAMS =
      Path.of(System.getenv().getOrDefault("TIDEMARK_VALIDATORS", "../.tools/validators/bin"))
          .toAbsolutePath();

  private Validator() {}

  /** The project's root. */
  static Path home() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  /**
   * How a validator answered.
   *
   * @param text what it said, on both outputs
   */
  record Verdict(int exit, String text) {}

  /** Runs one in the project's root, with a folder for what it writes. */
  static Verdict run(Path scratch, String program, String... arguments) throws Exception {
    Path output = Files.createTempFile(scratch, program, ".txt");
    List<String> command = new ArrayList<>(List.of(PROGRAMS.resolve(program).toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(home().toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      return new Verdict(process.waitFor(), text(output));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String text(Path output) throws IOException {
    return Files.readString(output, StandardCharsets.UTF_8);
  }
}
