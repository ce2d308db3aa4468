package dev.tidemark.starter.command;

import dev.tidemark.starter.output.OutputOptions;
import dev.tidemark.starter.session.ConfigOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code tidemark}: the global options; what is done is in the subcommands. */
@Command(
    name = "tidemark",
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Partitioned data pipelines on Temporal: catch-up, backfill and late data.",
    footer = {
      "%nExit codes: 0 done, 1 work failed, 2 wrong usage or configuration, 3 a service cannot be",
      "reached, 4 refused. `tidemark COMMAND --help` says more of a command."
    })
final class TidemarkCommand implements Callable<Integer> {
  @Mixin final OutputOptions output = new OutputOptions();
  @Mixin final ConfigOption config = new ConfigOption();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  private boolean version;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "say what to do: a command is missing");
  }
}
