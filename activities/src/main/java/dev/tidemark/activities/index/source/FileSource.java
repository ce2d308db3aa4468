package dev.tidemark.activities.index.source;

import dev.tidemark.activities.store.Digests;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Local files: each is a transaction, but of a snapshot all are one. */
final class FileSource implements Source {
  private final Datasource datasource;
  private final Path baseFolder;
  private final String glob;

  FileSource(Datasource datasource, Datasource.FromFiles origin, Path baseFolder) {
    this.datasource = datasource;
    this.baseFolder = baseFolder.toAbsolutePath().normalize();
    this.glob = origin.glob();
  }

  @Override
  public List<Found> find() throws IOException {
    SortedMap<String, BasicFileAttributes> files = files();
    if (isSnapshot()) {
      return files.isEmpty()
          ? List.of()
          : List.of(
              new Found(
                  Found.ALL,
                  version(files),
                  files.values().stream()
                      .map(FileSource::modified)
                      .max(Comparator.naturalOrder())
                      .orElseThrow()));
    }
    List<Found> found = new ArrayList<>();
    files.forEach(
        (name, file) -> found.add(new Found(name, version(Map.of(name, file)), modified(file))));
    found.sort(Comparator.comparing(Found::committedAt).thenComparing(Found::identity));
    return found;
  }

  @Override
  public String read(Transaction transaction, RawRow.Sink sink) throws IOException {
    SortedMap<String, BasicFileAttributes> files = files();
    if (!isSnapshot()) {
      files.keySet().retainAll(List.of(transaction.identity()));
    }
    if (files.isEmpty()) {
      throw new GoneException(datasource.name(), transaction);
    }
    for (String name : files.keySet()) {
      try {
        RowFile.read(baseFolder.resolve(name), name, sink);
      } catch (NoSuchFileException e) {
        throw new GoneException(datasource.name(), transaction);
      }
    }
    return version(files);
  }

  private boolean isSnapshot() {
    return datasource.kind() instanceof Datasource.Snapshot;
  }

  private static String version(Map<String, BasicFileAttributes> files) {
    StringBuilder all = new StringBuilder();
    files.forEach(
        (name, file) ->
            all.append(name)
                .append('\t')
                .append(file.size())
                .append('\t')
                .append(file.lastModifiedTime().to(TimeUnit.NANOSECONDS))
                .append('\n'));
    return Digests.sha256(all.toString());
  }

  private static Instant modified(BasicFileAttributes file) {
    return file.lastModifiedTime().toInstant();
  }

  /** The files that match, by their names relative to the base folder. */
  private SortedMap<String, BasicFileAttributes> files() throws IOException {
    Path pattern = baseFolder.resolve(glob).normalize();
    PathMatcher matcher = pattern.getFileSystem().getPathMatcher("glob:" + pattern);
    SortedMap<String, BasicFileAttributes> files = new TreeMap<>();
    Path start = start(pattern);
    if (!Files.isDirectory(start)) {
      // Not the same as an empty one: a volume that is not mounted must not empty an index.
      throw new NoSuchFileException(
          start.toString(),
          null,
          "the folder of datasource '%s' is not there; mount or create it"
              .formatted(datasource.name()));
    }
    Files.walkFileTree(
        start,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && matcher.matches(file)) {
              files.put(baseFolder.relativize(file).toString(), attributes);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  /** The folder that all matches are in. */
  private static Path start(Path pattern) {
    Path start = pattern.getRoot();
    for (Path segment : pattern) {
      if (segment.toString().matches(".*[*?{\\[].*")) {
        return start;
      }
      start = start.resolve(segment);
    }
    return start.resolveSibling("");
  }
}
