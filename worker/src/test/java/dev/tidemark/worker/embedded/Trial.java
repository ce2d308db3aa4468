package dev.tidemark.worker.embedded;

import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.LedgerSettings;
import dev.tidemark.worker.configuration.TemporalSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What the tests of embedded services share: configurations, surroundings, waiting. */
final class Trial {
  private Trial() {}

  /** A configuration that names no service. */
  static Configuration nothingConfigured(Path folder) {
    return configured(folder, null, null);
  }

  static Configuration configured(
      Path folder, @Nullable String ledgerUrl, @Nullable String temporalAddress) {
    return new Configuration(
        folder.resolve("tidemark.yaml"),
        new TemporalSettings(temporalAddress, null, "tidemark"),
        ledgerUrl == null ? null : new LedgerSettings(ledgerUrl, null, null),
        Map.of(),
        List.of());
  }

  /** This process's, without a configured Temporal, and with the project's own tool folder. */
  static Surroundings surroundings() {
    Map<String, String> variables = new HashMap<>(System.getenv());
    variables.keySet().removeIf(name -> name.startsWith("TEMPORAL_"));
    // A temporal.toml of whoever runs the tests must not be found.
    variables.put("TEMPORAL_CONFIG_FILE", "");
    variables.put("HOME", "/nonexistent");
    variables.put("XDG_CONFIG_HOME", "/nonexistent");
    return new Surroundings(variables, projectRoot().resolve(".tools"));
  }

  /** With no program on the PATH and no tools yet. */
  static Surroundings bareSurroundings(Path tools) {
    return new Surroundings(Map.of("PATH", "", "HOME", "/nonexistent"), tools);
  }

  private static Path projectRoot() {
    Path module = Path.of("").toAbsolutePath();
    Path parent = module.getParent();
    return parent != null && Files.exists(parent.resolve("tidemark")) ? parent : module;
  }

  /** Waits for something that another process does; fails after a while. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - giveUp > 0) {
        throw new AssertionError("still not so: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
