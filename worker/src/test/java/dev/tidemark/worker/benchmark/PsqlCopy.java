package dev.tidemark.worker.benchmark;

import dev.tidemark.worker.benchmark.ExportCost.Baseline;
import dev.tidemark.worker.benchmark.ExportCost.Took;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** {@code \copy (query) to 'file'} of psql. */
final class PsqlCopy implements Baseline {
  /** The shell's own clock, which counts a child's CPU too: real, user and system seconds. */
  private static final String TIMED =
      """
      TIMEFORMAT='%3R %3U %3S'
      time psql --no-psqlrc --quiet "$1" --command "$2"
      """;

  private final String address;
  private final String query;
  private final String format;

  PsqlCopy(DataSource database, String query, String format) throws SQLException {
    this.address = LibpqAddress.of(database);
    this.query = query;
    this.format = format;
  }

  static boolean isInstalled() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "psql")));
  }

  @Override
  public String name() {
    return "\\copy";
  }

  @Override
  public Took export(Path file) throws IOException, InterruptedException {
    String command = "\\copy (" + query + ") to '" + file + "' (format " + format + ")";
    Process process =
        new ProcessBuilder(List.of("bash", "-c", TIMED, "bash", address, command))
            .redirectOutput(Redirect.DISCARD)
            .start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    String[] times = said.strip().split(" ", -1);
    if (process.waitFor() != 0 || times.length != 3) {
      throw new IOException("psql failed: " + said);
    }
    double seconds = Double.parseDouble(times[0]);
    return new Took(seconds, seconds, Double.parseDouble(times[1]) + Double.parseDouble(times[2]));
  }

  @Override
  public void close() {}
}
