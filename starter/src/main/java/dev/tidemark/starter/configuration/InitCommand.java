package dev.tidemark.starter.configuration;

import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.InitTemplate;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code init}: a commented configuration with an example that works. */
@Command(
    name = "init",
    description = "Writes a commented tidemark.yaml with a working example.",
    footer = "%nOverwrites nothing.")
public final class InitCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "The folder; made if it is not there (default: this one).")
  private Path folder = Path.of("");

  public InitCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() {
    List<String> written;
    try {
      written =
          InitTemplate.write(folder).stream().map(file -> folder.resolve(file).toString()).toList();
    } catch (FileAlreadyExistsException e) {
      throw CommandFailure.refused(e.getFile() + " is there already; init overwrites nothing");
    } catch (IOException e) {
      throw CommandFailure.usage("DIR", "cannot write the example into '" + folder + "': " + e);
    }
    workspace.console().result(new View(written), () -> text(written));
    return ExitCode.DONE.code();
  }

  private String text(List<String> written) {
    Path file = folder.resolve(InitTemplate.FILE);
    return "wrote "
        + String.join(", ", written)
        + "\nnext: tidemark --config "
        + file
        + " sweep line-counts, or without --config in the file's folder";
  }

  /** The files written, as JSON. */
  record View(List<String> written) {}
}
