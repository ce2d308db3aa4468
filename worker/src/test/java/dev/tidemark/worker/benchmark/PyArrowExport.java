package dev.tidemark.worker.benchmark;

import dev.tidemark.worker.benchmark.ExportCost.Baseline;
import dev.tidemark.worker.benchmark.ExportCost.Took;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** PyArrow with ADBC in one process of Python, so that it is as warm as the JVM. */
final class PyArrowExport implements Baseline {
  private final Process process;
  private final Writer files;
  private final BufferedReader times;

  PyArrowExport(DataSource database, String query) throws Exception {
    Path home = Path.of(System.getProperty("tidemark.home", ""));
    Path tools = home.resolve(".tools/pyarrow");
    install(home.resolve("deploy/tools/install-pyarrow"), tools);
    process =
        new ProcessBuilder(
                List.of(
                    tools.resolve("bin/python").toString(),
                    "-c",
                    script(),
                    LibpqAddress.of(database),
                    query))
            .redirectError(Redirect.INHERIT)
            .start();
    files = process.outputWriter(StandardCharsets.UTF_8);
    times = process.inputReader(StandardCharsets.UTF_8);
  }

  private static void install(Path script, Path tools) throws IOException, InterruptedException {
    if (new ProcessBuilder(script.toString(), tools.toString()).inheritIO().start().waitFor()
        != 0) {
      throw new IOException("cannot install PyArrow into " + tools);
    }
  }

  private static String script() throws IOException {
    try (InputStream script =
        Objects.requireNonNull(PyArrowExport.class.getResourceAsStream("pyarrow_export.py"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public String name() {
    return "PyArrow with ADBC";
  }

  @Override
  public Took export(Path file) throws IOException {
    files.write(file + "\n");
    files.flush();
    String line = times.readLine();
    if (line == null) {
      throw new IOException("PyArrow failed");
    }
    String[] words = line.split(" ", -1);
    double seconds = Double.parseDouble(words[0]);
    return new Took(seconds, seconds, Double.parseDouble(words[1]));
  }

  @Override
  public void close() throws IOException {
    files.close();
    process.onExit().join();
  }
}
