package dev.tidemark.starter.session;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Which configuration; accepted before and after the subcommand. */
public final class ConfigOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "The configuration (default: ./tidemark.yaml).")
  private Path file = Path.of("tidemark.yaml");

  /** A configuration that is not the one named on the command line. */
  public static ConfigOption of(Path file) {
    ConfigOption option = new ConfigOption();
    option.file = file;
    return option;
  }

  Path file() {
    return file;
  }
}
