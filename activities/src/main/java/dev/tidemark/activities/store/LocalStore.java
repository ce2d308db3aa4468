package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Outputs in a folder of the local file system. */
public final class LocalStore implements OutputStore {
  private static final long MAX_TEXT_BYTES = 64L * 1024 * 1024;

  private final Path location;
  private final Clock clock;

  /** The folder is made when something is first written. */
  public LocalStore(Path location, Clock clock) {
    this.location = location.toAbsolutePath().normalize();
    this.clock = clock;
  }

  @Override
  public Staging stage(StagingId id) {
    return new LocalStaging(this, resolve(id.area()).resolve(id.name()));
  }

  @Override
  public void endEarlier(StagingId id) throws IOException {
    for (Path folder : children(resolve(id.area()))) {
      if (id.isEarlier(folder.getFileName().toString())) {
        Durably.removeTree(folder);
      }
    }
  }

  @Override
  public Optional<String> read(String name) throws IOException {
    Path file = resolve(name);
    try {
      if (Files.size(file) > MAX_TEXT_BYTES) {
        throw new IOException(
            file + " is larger than the " + MAX_TEXT_BYTES + " bytes of a marker");
      }
      return Optional.of(Files.readString(file, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<String> digest(String name) throws IOException {
    try {
      return Optional.of(Durably.digest(resolve(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<String> list(String folder) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path child : children(resolve(folder))) {
      if (!Files.isDirectory(child)) {
        names.add(child.getFileName().toString());
      }
    }
    names.sort(null);
    return names;
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = resolve(name);
    if (Files.deleteIfExists(file)) {
      Durably.sync(file.resolveSibling(""));
    }
  }

  @Override
  public int removeAbandoned(String area, Duration age) throws IOException {
    Instant oldest = clock.instant().minus(age);
    int removed = 0;
    for (Path folder : children(resolve(area))) {
      if (isOlder(folder, oldest)) {
        Durably.removeTree(folder);
        removed++;
      }
    }
    return removed;
  }

  private static boolean isOlder(Path folder, Instant oldest) throws IOException {
    try {
      return Files.getLastModifiedTime(folder).toInstant().isBefore(oldest);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public String address(String name) {
    return resolve(name).toString();
  }

  /**
   * The path of a name.
   *
   * @throws IllegalArgumentException if it leads out of the location
   */
  Path resolve(String name) {
    Path path = location.resolve(name).normalize();
    if (!path.startsWith(location)) {
      throw new IllegalArgumentException("'" + name + "' leads out of " + location);
    }
    return path;
  }

  private static List<Path> children(Path folder) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(children::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return children;
  }
}
