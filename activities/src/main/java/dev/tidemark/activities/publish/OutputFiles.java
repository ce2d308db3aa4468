package dev.tidemark.activities.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a task left in its output folder. */
final class OutputFiles {
  private static final int MAX_FILES = 10_000;
  private static final int NAMED = 5;

  private OutputFiles() {}

  /**
   * The files, in name order.
   *
   * @throws RefusedOutputException for anything but plain files with plain names
   */
  static List<Path> in(Path folder) throws IOException, RefusedOutputException {
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files = entries.sorted().limit(MAX_FILES + 1L).toList();
    }
    if (files.size() > MAX_FILES) {
      throw new RefusedOutputException(
          "the task left more than "
              + MAX_FILES
              + " files in its output folder, which is the most");
    }
    for (Path file : files) {
      check(file);
    }
    return files;
  }

  /**
   * Whether these are the files, in any order.
   *
   * @throws RefusedOutputException also where they are not
   */
  static void expect(Path folder, List<String> names) throws IOException, RefusedOutputException {
    Set<String> there = new TreeSet<>(names(in(folder)));
    Set<String> said = new TreeSet<>(names);
    if (!there.equals(said)) {
      Set<String> missing = new TreeSet<>(said);
      missing.removeAll(there);
      there.removeAll(said);
      throw new RefusedOutputException(
          "the task's result and its output folder differ: "
              + (missing.isEmpty()
                  ? "not named are " + list(there)
                  : "missing are " + list(missing)));
    }
  }

  private static void check(Path file) throws RefusedOutputException {
    String name = file.getFileName().toString();
    if (Files.isSymbolicLink(file)) {
      throw refused(name, "a link", "copy what it points to");
    }
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(name, "a folder", "write files directly into the output folder");
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(name, "a device or a pipe", "write plain files");
    }
    if (name.startsWith("_") || name.startsWith(".")) {
      throw refused(
          name,
          "a name that readers skip",
          "names that start with '_' or '.' are kept for metadata");
    }
  }

  private static RefusedOutputException refused(String name, String what, String rule) {
    return new RefusedOutputException(
        "the task left '" + name + "' in its output folder, which is " + what + ": " + rule);
  }

  static List<String> names(List<Path> files) {
    return files.stream().map(file -> file.getFileName().toString()).toList();
  }

  /** For people: the first names, and how many there are. */
  static String list(Collection<String> names) {
    if (names.isEmpty()) {
      return "none";
    }
    return names.size()
        + ": "
        + names.stream().limit(NAMED).collect(Collectors.joining(", "))
        + (names.size() > NAMED ? ", ..." : "");
  }

  /**
   * What follows the first dot of a name, dot included, so that {@code a.csv.gz} keeps both; empty
   * where there is none or it is no plain extension.
   */
  static String extension(String name) {
    int dot = name.indexOf('.');
    String extension = dot < 0 ? "" : name.substring(dot);
    if (extension.matches("(\\.[A-Za-z0-9]{1,10}){1,2}")) {
      return extension;
    }
    // More dots than extensions have: 2026.09.05.csv keeps the last.
    String last = name.substring(name.lastIndexOf('.') + 1);
    return dot >= 0 && last.matches("[A-Za-z0-9]{1,10}") ? "." + last : "";
  }
}
