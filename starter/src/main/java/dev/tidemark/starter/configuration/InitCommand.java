package dev.tidemark.starter.configuration;

import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  /** The example, as resources beside this class. The configuration is written last. */
  private static final List<String> FILES =
      List.of(
          "input/2026-01-01.csv", "input/2026-01-02.csv", "input/2026-01-03.csv", "tidemark.yaml");

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
    List<String> written = new ArrayList<>();
    try {
      refuseExisting();
      for (String file : FILES) {
        write(file);
        written.add(folder.resolve(file).toString());
      }
    } catch (FileAlreadyExistsException e) {
      throw CommandFailure.refused(e.getFile() + " is there already; init overwrites nothing");
    } catch (IOException e) {
      throw CommandFailure.usage("DIR", "cannot write the example into '" + folder + "': " + e);
    }
    workspace.console().result(new View(written), () -> text(written));
    return ExitCode.DONE.code();
  }

  private void refuseExisting() throws FileAlreadyExistsException {
    for (String file : FILES) {
      if (Files.exists(folder.resolve(file))) {
        throw new FileAlreadyExistsException(folder.resolve(file).toString());
      }
    }
  }

  private void write(String file) throws IOException {
    Path target = folder.resolve(file).toAbsolutePath();
    Files.createDirectories(target.getParent());
    try (InputStream example = InitCommand.class.getResourceAsStream("example/" + file)) {
      if (example == null) {
        throw new IOException("the example's " + file + " is not in this build");
      }
      Files.copy(example, target);
    }
  }

  private static String text(List<String> written) {
    return "wrote " + String.join(", ", written) + "\nnext: tidemark sweep daily-sales";
  }

  /** The files written, as JSON. */
  record View(List<String> written) {}
}
