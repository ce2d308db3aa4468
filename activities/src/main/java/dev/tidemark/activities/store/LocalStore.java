package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
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
import org.jspecify.annotations.Nullable;

/** Outputs in a folder of the local file system. */
public final class LocalStore implements OutputStore {
  private static final long MAX_TEXT_BYTES = 64L * 1024 * 1024;

  private final Path location;
  private final Clock clock;
  private final LocalFaults faults;

  /** The folder is made when something is first written. */
  public LocalStore(Path location, Clock clock) {
    this.location = location.toAbsolutePath().normalize();
    this.clock = clock;
    this.faults = new LocalFaults(this.location);
  }

  @Override
  public Staging stage(StagingId id) {
    return new LocalStaging(this, faults, id);
  }

  @Override
  public void endEarlier(StagingId id, List<StagedUpload> uploads) throws IOException {
    faults.tell(
        () -> {
          for (Path folder : children(resolve(id.area().folder()))) {
            if (id.isEarlier(folder.getFileName().toString())) {
              Durably.removeTree(folder);
            }
          }
        });
  }

  @Override
  public Optional<StoredText> read(String name) throws IOException {
    return faults.told(() -> text(resolve(name)));
  }

  private static Optional<StoredText> text(Path file) throws IOException {
    try {
      if (Files.size(file) > MAX_TEXT_BYTES) {
        throw new IOException(
            file + " is larger than the " + MAX_TEXT_BYTES + " bytes of a marker");
      }
      // No version: a folder cannot remove a file on condition of what is in it.
      return Optional.of(new StoredText(Files.readString(file, StandardCharsets.UTF_8), ""));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public InputStream open(String name) throws IOException {
    return faults.told(() -> Files.newInputStream(resolve(name)));
  }

  @Override
  public void walk(String prefix, @Nullable String after, Visitor visitor) throws IOException {
    faults.tell(() -> new LocalWalk(location, prefix, after, visitor).run());
  }

  @Override
  public void delete(String name) throws IOException {
    Path file = resolve(name);
    faults.tell(
        () -> {
          if (Files.deleteIfExists(file)) {
            Durably.syncFolder(file.resolveSibling(""));
          }
        });
  }

  @Override
  public boolean deleteIfUnchanged(String name, String version) throws IOException {
    delete(name);
    return true;
  }

  @Override
  public int removeAbandoned(StagingArea area, Duration age) throws IOException {
    Instant oldest = clock.instant().minus(age);
    return faults.told(() -> removeOlder(resolve(area.folder()), oldest));
  }

  private static int removeOlder(Path area, Instant oldest) throws IOException {
    int removed = 0;
    for (Path folder : children(area)) {
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

  /** A link is made only where nothing has its name; no removal has a condition. */
  @Override
  public Guarantees guarantees() {
    return new Guarantees(true, false);
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
