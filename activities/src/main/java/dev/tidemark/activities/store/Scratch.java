package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Private local folders, all below one of this process, {@code tidemark-<user>/<id>} in the folder
 * for temporary files. A process holds a lock as long as it lives, however it ends: what is not
 * locked any more is removed by the next process that needs such a folder.
 */
public final class Scratch {
  private static final Logger log = LoggerFactory.getLogger(Scratch.class);
  private static final Path ALL =
      Path.of(System.getProperty("java.io.tmpdir"), "tidemark-" + System.getProperty("user.name"));
  private static final String LOCK = ".lock";

  private static @Nullable Scratch own;

  private final Path folder;

  /** Held until the process ends. */
  private final FileLock lock;

  private Scratch(Path folder, FileLock lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /**
   * A new and empty folder that only this user may enter; the caller removes it.
   *
   * @param name for people
   */
  public static Path folder(String name) throws IOException {
    return Files.createTempDirectory(own().folder, name + "-");
  }

  private static synchronized Scratch own() throws IOException {
    Scratch known = own;
    if (known == null || !known.lock.isValid() || !Files.isDirectory(known.folder)) {
      removeAbandoned(ALL);
      known = in(ALL);
      own = known;
    }
    return known;
  }

  /** That of a new process; a folder is locked before it is there. */
  static Scratch in(Path all) throws IOException {
    Files.createDirectories(all);
    Path file = Files.createTempFile(all, "", LOCK);
    FileLock lock = FileChannel.open(file, StandardOpenOption.WRITE).lock();
    return new Scratch(Files.createDirectory(folderOf(file)), lock);
  }

  private static Path folderOf(Path lock) {
    String name = lock.getFileName().toString();
    return lock.resolveSibling(name.substring(0, name.length() - LOCK.length()));
  }

  Path folder() {
    return folder;
  }

  /**
   * Removes the folders of processes that have ended; what cannot be removed stays for the next.
   */
  static void removeAbandoned(Path all) throws IOException {
    if (!Files.isDirectory(all)) {
      return;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(all, Files::isDirectory)) {
      for (Path folder : folders) {
        try {
          removeIfAbandoned(folder);
        } catch (IOException e) {
          log.warn("cannot remove {}, which an ended process has left", folder, e);
        }
      }
    }
  }

  private static void removeIfAbandoned(Path folder) throws IOException {
    Path file = folder.resolveSibling(folder.getFileName() + LOCK);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        Durably.removeTree(folder);
        Files.deleteIfExists(file);
      }
    } catch (OverlappingFileLockException e) {
      // Of this very process.
    } catch (NoSuchFileException e) {
      // Removed to its lock, and no further.
      Durably.removeTree(folder);
    }
  }
}
