package dev.tidemark.activities.inputs;

import dev.tidemark.activities.placeholder.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The local files that a glob without placeholders matches. */
public final class MatchingFiles {
  private MatchingFiles() {}

  /**
   * A fingerprint of size and time of change for each, by its path relative to the folder.
   *
   * @param baseFolder what a relative glob is relative to
   */
  public static SortedMap<String, String> find(Path baseFolder, String glob) throws IOException {
    FilesDetector files = new FilesDetector(baseFolder, glob);
    Glob parsed = Glob.of(Template.parse(glob), placeholder -> null);
    SortedMap<String, String> found = new TreeMap<>();
    files.new Walk(true)
        .find(parsed)
        .getOrDefault(Map.of(), new TreeMap<>())
        .forEach((name, described) -> found.put(name, Fingerprint.of(described)));
    return found;
  }
}
