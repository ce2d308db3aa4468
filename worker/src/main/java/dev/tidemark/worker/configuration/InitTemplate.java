package dev.tidemark.worker.configuration;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commented configuration with a small working example that {@code tidemark init} writes. */
public final class InitTemplate {
  /** The configuration's file name, also where no other is named. */
  public static final String FILE = "tidemark.yaml";

  private static final List<String> FILES =
      List.of(FILE, "input/2026-01-01.csv", "input/2026-01-02.csv", "input/2026-01-03.csv");

  private InitTemplate() {}

  /**
   * Writes the configuration and the example's inputs; the folder is made where there is none.
   *
   * @return what was written, relative to the folder
   * @throws FileAlreadyExistsException naming the first of these files that is there already;
   *     nothing is written then
   */
  public static List<Path> write(Path folder) throws IOException {
    List<Path> written = new ArrayList<>();
    for (String name : FILES) {
      if (Files.exists(folder.resolve(name))) {
        throw new FileAlreadyExistsException(folder.resolve(name).toString());
      }
    }
    Files.createDirectories(folder.resolve("input"));
    for (String name : FILES) {
      try (InputStream content = InitTemplate.class.getResourceAsStream("init/" + name)) {
        if (content == null) {
          throw new FileNotFoundException("init/" + name + " is not in this program");
        }
        Files.copy(content, folder.resolve(name));
      }
      written.add(Path.of(name));
    }
    return written;
  }
}
