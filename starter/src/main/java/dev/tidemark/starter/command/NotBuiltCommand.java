package dev.tidemark.starter.command;

import dev.tidemark.starter.session.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A command of the contract that a later version builds: its name is taken, and it says so. */
@Command(description = "(not built yet)")
final class NotBuiltCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Unmatched private String[] arguments = {};

  @Override
  public Integer call() {
    throw CommandFailure.notBuilt(spec.name());
  }
}
