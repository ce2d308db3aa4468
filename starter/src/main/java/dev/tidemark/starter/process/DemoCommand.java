package dev.tidemark.starter.process;

import dev.tidemark.starter.session.CommandFailure;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: the bundled example on real data. */
@Command(name = "demo", description = "Runs the bundled example on real data, end to end.")
public final class DemoCommand implements Callable<Integer> {
  @Option(names = "--keep", description = "Leave the services up in the end.")
  private boolean keep;

  @Override
  public Integer call() {
    throw CommandFailure.notBuilt("demo");
  }
}
