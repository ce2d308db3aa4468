package dev.tidemark.starter.demo;

import dev.tidemark.starter.session.CommandFailure;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The demo's folder: its configuration, the observations that arrive, the outputs and the ledger.
 */
final class DemoFolder {
  private static final String CONFIGURATION = "tidemark.yaml";

  /** Marks a folder as the demo's own, so that no other folder is ever emptied. */
  private static final String MARK = ".tidemark-demo";

  private final Path folder;

  private DemoFolder(Path folder) {
    this.folder = folder;
  }

  /** Makes the folder, empty but for the configuration; an earlier demo's is made anew. */
  static DemoFolder fresh(Path folder) throws IOException {
    if (Files.exists(folder) && !Files.exists(folder.resolve(MARK))) {
      throw CommandFailure.refused(
          folder + " is there already and is not a demo's folder; name another with --dir");
    }
    if (Files.exists(folder)) {
      empty(folder);
    }
    Files.createDirectories(folder.resolve("input"));
    Files.createFile(folder.resolve(MARK));
    try (InputStream configuration = resource(CONFIGURATION)) {
      Files.copy(configuration, folder.resolve(CONFIGURATION));
    }
    return new DemoFolder(folder);
  }

  Path configuration() {
    return folder.resolve(CONFIGURATION);
  }

  Path path() {
    return folder;
  }

  /** One file a day arrives, as it did from 2012 to 2015. Returns how many. */
  int arrive() throws IOException {
    List<String> lines = observations();
    for (String day : lines.subList(1, lines.size())) {
      write(day.substring(0, day.indexOf(',')), lines.get(0), day);
    }
    return lines.size() - 1;
  }

  /** A correction arrives: the station's rain gauge had been stuck on that day. */
  void correct(String day, String millimetres) throws IOException {
    List<String> lines = observations();
    String[] fields =
        lines.stream()
            .filter(line -> line.startsWith(day + ","))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(day + " was not observed"))
            .split(",", -1);
    fields[1] = millimetres;
    write(day, lines.get(0), String.join(",", fields));
  }

  private void write(String day, String header, String line) throws IOException {
    Files.writeString(folder.resolve("input").resolve(day + ".csv"), header + "\n" + line + "\n");
  }

  private static List<String> observations() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(resource("seattle-weather.csv"), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream found = DemoFolder.class.getResourceAsStream(name);
    if (found == null) {
      throw new FileNotFoundException(name + " is not in this program");
    }
    return found;
  }

  private static void empty(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
