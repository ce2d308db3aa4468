package dev.tidemark.starter.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A folder with a configuration, and the command run on it in this process. */
final class Trial {
  /** When these tests happen. */
  static final Instant NOW = Instant.parse("2026-08-04T00:00:00Z");

  static final String DAYS =
      """
      pipelines:
        - name: days
          partitions: {every: day, zone: Europe/Istanbul, start: 2026-07-25}
          closes-after: 1h
          inputs: [{files: "input/{partition}.csv"}]
          task: {command: ["sh", "-c", "cat input/{partition}.csv > {output}/x.csv; echo did {partition}"]}
          output: {location: ./out, layout: hive}
        - name: sliced
          partitions: {every: day, start: 2026-07-25, end: 2026-08-01}
          slices:
            - {unit: [istanbul, izmir], kind: [rain]}
          task: {command: ["sh", "-c", "echo {slice.unit} > {output}/x.txt"]}
          output: {location: ./out, layout: hive}
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    // Where the launcher would say that the project is: its tools are used, and kept.
    System.setProperty("tidemark.home", home().toString());
  }

  private final Path folder;

  Trial(Path folder) {
    this.folder = folder;
  }

  /** A folder with this configuration. */
  static Trial with(Path folder, String yaml) {
    Trial trial = new Trial(folder);
    trial.write("tidemark.yaml", yaml);
    return trial;
  }

  /** The project's root. */
  static Path home() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  /** What a command did. */
  record Ran(int exit, String out, String err) {
    JsonNode json() {
      try {
        return JSON.readTree(out);
      } catch (JsonProcessingException e) {
        throw new AssertionError("standard output is not JSON: " + out + err, e);
      }
    }
  }

  /** Runs the command with exactly these arguments. */
  static Ran runBare(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Assembly.commandLine(
                new PrintWriter(out),
                new PrintWriter(err),
                false,
                Clock.fixed(NOW, ZoneOffset.UTC),
                Map.of())
            .execute(arguments);
    return new Ran(exit, out.toString(), err.toString());
  }

  /** Runs the command on this folder's configuration. */
  Ran run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--config", config()));
    all.addAll(List.of(arguments));
    return runBare(all.toArray(String[]::new));
  }

  /** The same, as JSON. */
  Ran json(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--output", "json"));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  String config() {
    return folder.resolve("tidemark.yaml").toString();
  }

  void write(String path, String text) {
    try {
      Path file = folder.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything below the folder, to show that nothing was touched. */
  List<String> files() {
    try (Stream<Path> below = Files.walk(folder)) {
      return below.map(path -> folder.relativize(path).toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
