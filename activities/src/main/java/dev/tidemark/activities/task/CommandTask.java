package dev.tidemark.activities.task;

import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.publish.Contents;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a program, without a shell (contracts, section 2). */
final class CommandTask implements TaskRunner {
  private static final int BAD_DATA = 65;
  private static final int NOT_READY = 75;

  /** What the exit value of a program that a signal ended is counted from. */
  private static final int SIGNALS = 128;

  private static final int MAX_SIGNAL = 64;
  private static final int LINES_IN_ERROR = 20;
  private static final File NOTHING = new File(File.separatorChar == '\\' ? "NUL" : "/dev/null");

  private final Path folder;
  private final List<String> command;

  CommandTask(Path folder, List<String> command) {
    this.folder = folder;
    this.command = command;
  }

  @Override
  public Contents run(TaskRun run) throws Exception {
    ProcessGroup group = start(run);
    OutputPump pump = OutputPump.start(group.output(), run);
    int exit;
    try {
      exit = group.waitFor();
    } finally {
      // Also after a good end: what it left behind would go on beside the next attempt.
      group.end();
      pump.finish();
    }
    judge(exit, run);
    return Contents.of(null);
  }

  private ProcessGroup start(TaskRun run) throws TaskFailedException {
    Path output = run.output();
    Template.Values values = TaskValues.placeholders(run, output);
    List<String> arguments = new ArrayList<>();
    for (String argument : command) {
      arguments.add(fill(argument, values));
    }
    ProcessBuilder builder =
        new ProcessBuilder(ProcessGroup.launch(arguments))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectInput(NOTHING);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(CommandTask::isOfAnotherTask);
    environment.putAll(TaskValues.environment(run, output));
    try {
      return new ProcessGroup(builder.start());
    } catch (IOException e) {
      throw new TaskFailedException(
          "cannot start '" + arguments.get(0) + "' in " + folder + ": " + e.getMessage());
    }
  }

  private static String fill(String argument, Template.Values values) throws TaskFailedException {
    try {
      return Template.parse(argument).fill(values);
    } catch (IllegalArgumentException e) {
      throw new TaskFailedException("task.command: " + e.getMessage());
    }
  }

  /** A worker may itself be a task's child. */
  private static boolean isOfAnotherTask(String variable) {
    return variable.startsWith("TIDEMARK_SLICE_") || variable.startsWith("TIDEMARK_PARAM_");
  }

  private void judge(int exit, TaskRun run)
      throws BadDataException, NotReadyException, TaskFailedException {
    if (exit == 0) {
      return;
    }
    String lines = run.log().last(LINES_IN_ERROR);
    String printed = lines.isEmpty() ? " (it printed nothing)" : ": " + lines;
    if (exit == BAD_DATA) {
      throw new BadDataException("exit code 65, the data is bad" + printed);
    }
    if (exit == NOT_READY) {
      throw new NotReadyException("exit code 75, not ready" + printed);
    }
    boolean signalled = exit > SIGNALS && exit <= SIGNALS + MAX_SIGNAL;
    throw new TaskFailedException(
        (signalled ? "ended by signal " + (exit - SIGNALS) : "exit code " + exit) + printed);
  }
}
