package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** File operations that survive a power cut: a rename is atomic, only fsync is durable (A-g2). */
public final class Durably {
  private static final int BUFFER = 64 * 1024;

  /** How often the removal of a folder is tried that others write to. */
  private static final int REMOVALS = 5;

  private Durably() {}

  /** Forces a file's content, or a folder's entries, to the disk. */
  static void sync(Path path) throws IOException {
    boolean folder = Files.isDirectory(path);
    try (FileChannel channel =
        FileChannel.open(path, folder ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Makes a folder and those above it, each durably. */
  static void createFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      createFolders(parent);
    }
    try {
      Files.createDirectory(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw new NotDirectoryException(folder.toString());
      }
      return;
    }
    if (parent != null) {
      sync(parent);
    }
  }

  /** SHA-256 of a file, in hex. */
  static String digest(Path file) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** An empty SHA-256. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Removes a folder and all in it, following no link. What is not there, or goes meanwhile, is no
   * error: others may remove the same folder, and a program that was given up may still write to
   * it.
   */
  public static void removeTree(Path folder) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        Files.walkFileTree(folder, new Removal());
        return;
      } catch (DirectoryNotEmptyException e) {
        if (attempt == REMOVALS) {
          throw e;
        }
      }
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      return goOnIfGone(e);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      if (e == null) {
        Files.deleteIfExists(folder);
        return FileVisitResult.CONTINUE;
      }
      return goOnIfGone(e);
    }

    private static FileVisitResult goOnIfGone(IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }
}
