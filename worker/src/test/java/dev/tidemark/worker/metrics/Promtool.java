package dev.tidemark.worker.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Prometheus' own tool for rules. */
final class Promtool {
  static final Path RULES = Path.of("../deploy/prometheus").toAbsolutePath().normalize();

  private Promtool() {}

  /** What it says; starts with the exit code. */
  static String run(Path folder, String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(
        Objects.requireNonNull(
            System.getenv("TIDEMARK_PROMTOOL"), "mvn installs promtool, and says where it is"));
    words.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + "\n" + said;
  }
}
