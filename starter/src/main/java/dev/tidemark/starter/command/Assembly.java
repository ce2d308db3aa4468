package dev.tidemark.starter.command;

import dev.tidemark.starter.backfill.BackfillCommand;
import dev.tidemark.starter.backfill.BackfillsCommand;
import dev.tidemark.starter.configuration.CheckConnectionsCommand;
import dev.tidemark.starter.configuration.InitCommand;
import dev.tidemark.starter.configuration.ValidateCommand;
import dev.tidemark.starter.demo.DemoCommand;
import dev.tidemark.starter.objects.EditCommand;
import dev.tidemark.starter.objects.GetCommand;
import dev.tidemark.starter.objects.ObjectsCommand;
import dev.tidemark.starter.objects.SearchCommand;
import dev.tidemark.starter.output.Console;
import dev.tidemark.starter.output.OutputFormat;
import dev.tidemark.starter.partition.ChangedCommand;
import dev.tidemark.starter.partition.ExcuseCommand;
import dev.tidemark.starter.partition.ExplainCommand;
import dev.tidemark.starter.partition.LogsCommand;
import dev.tidemark.starter.partition.PartitionsCommand;
import dev.tidemark.starter.partition.RetryCommand;
import dev.tidemark.starter.partition.TryCommand;
import dev.tidemark.starter.partition.UnexcuseCommand;
import dev.tidemark.starter.pipeline.ApplyCommand;
import dev.tidemark.starter.pipeline.PauseCommand;
import dev.tidemark.starter.pipeline.RemoveCommand;
import dev.tidemark.starter.pipeline.ResumeCommand;
import dev.tidemark.starter.pipeline.ScheduleCommand;
import dev.tidemark.starter.pipeline.StatusCommand;
import dev.tidemark.starter.process.DevCommand;
import dev.tidemark.starter.process.MigrateCommand;
import dev.tidemark.starter.process.WorkerCommand;
import dev.tidemark.starter.publish.AdoptCommand;
import dev.tidemark.starter.publish.ReadCommand;
import dev.tidemark.starter.publish.RebuildLedgerCommand;
import dev.tidemark.starter.publish.ReconcileCommand;
import dev.tidemark.starter.session.Converters;
import dev.tidemark.starter.session.Failures;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.starter.sweep.PlanCommand;
import dev.tidemark.starter.sweep.SweepCommand;
import dev.tidemark.workflows.backfill.BackfillRequest;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The command, put together: reads top to bottom as its help does. */
final class Assembly {
  private static final String VERSION = "--version";
  private static final int HELP_WIDTH = 100;

  private Assembly() {}

  /**
   * The command, ready to execute arguments.
   *
   * @param terminal whether {@code err} is one
   */
  static CommandLine commandLine(
      PrintWriter out, PrintWriter err, boolean terminal, Clock clock, Map<String, String> env) {
    TidemarkCommand root = new TidemarkCommand();
    Console console = new Console(root.output, out, err, terminal);
    CommandLine command = new CommandLine(root);
    addCommands(command, new Workspace(console, root.config, clock, env));
    Converters.register(
        command,
        OutputFormat.class,
        BackfillRequest.Mode.class,
        BackfillRequest.Order.class,
        BackfillsCommand.Running.class);
    addVersion(command);
    return command
        .setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi(terminal)))
        .setUsageHelpWidth(HELP_WIDTH)
        .setParameterExceptionHandler((wrong, arguments) -> usage(console, wrong, arguments))
        .setExecutionExceptionHandler((thrown, called, parsed) -> end(console, thrown));
  }

  private static void addCommands(CommandLine command, Workspace workspace) {
    command
        .addSubcommand(new DemoCommand(workspace))
        .addSubcommand(new InitCommand(workspace))
        .addSubcommand(new ValidateCommand(workspace))
        .addSubcommand(new DevCommand(workspace))
        .addSubcommand(new WorkerCommand(workspace))
        .addSubcommand(new MigrateCommand(workspace))
        .addSubcommand(new ApplyCommand(workspace))
        .addSubcommand(new RemoveCommand(workspace))
        .addSubcommand(new ScheduleCommand(workspace))
        .addSubcommand(new PauseCommand(workspace))
        .addSubcommand(new ResumeCommand(workspace))
        .addSubcommand(new SweepCommand(workspace))
        .addSubcommand(new PlanCommand(workspace))
        .addSubcommand(new BackfillCommand(workspace))
        .addSubcommand(new BackfillsCommand(workspace))
        .addSubcommand(new StatusCommand(workspace))
        .addSubcommand(new PartitionsCommand(workspace))
        .addSubcommand(new ExplainCommand(workspace))
        .addSubcommand(new LogsCommand(workspace))
        .addSubcommand(new TryCommand(workspace))
        .addSubcommand(new ChangedCommand(workspace))
        .addSubcommand(new ExcuseCommand(workspace))
        .addSubcommand(new UnexcuseCommand(workspace))
        .addSubcommand(new RetryCommand(workspace))
        .addSubcommand(new ReadCommand(workspace))
        .addSubcommand(new AdoptCommand(workspace))
        .addSubcommand(new ReconcileCommand(workspace))
        .addSubcommand(new RebuildLedgerCommand(workspace))
        .addSubcommand(objects(workspace))
        .addSubcommand(new CheckConnectionsCommand(workspace));
  }

  private static CommandLine objects(Workspace workspace) {
    return new CommandLine(new ObjectsCommand(workspace))
        .addSubcommand(new GetCommand(workspace))
        .addSubcommand(new SearchCommand(workspace))
        .addSubcommand(new EditCommand(workspace));
  }

  /** {@code --version} after the subcommand too, except where it means something else. */
  private static void addVersion(CommandLine command) {
    for (CommandLine sub : command.getSubcommands().values()) {
      if (sub.getCommandSpec().findOption(VERSION) == null) {
        sub.getCommandSpec()
            .versionProvider(new Version())
            .addOption(
                OptionSpec.builder(VERSION)
                    .versionHelp(true)
                    .hidden(true)
                    .type(boolean.class)
                    .build());
      }
    }
  }

  private static CommandLine.Help.Ansi ansi(boolean terminal) {
    return terminal ? CommandLine.Help.Ansi.AUTO : CommandLine.Help.Ansi.OFF;
  }

  private static int usage(
      Console console, CommandLine.ParameterException wrong, String... arguments) {
    console.readFormat(arguments);
    int exit = end(console, wrong);
    if (!console.isJson()) {
      console.notice(
          "`" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help` says more");
    }
    return exit;
  }

  private static int end(Console console, Exception thrown) {
    Failures.Failure failure = Failures.of(thrown);
    console.trace(thrown);
    console.error(failure.view());
    return failure.exit().code();
  }
}
