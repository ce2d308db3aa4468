package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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

  /** SHA-256 of a file's content, in hex. */
  static String digest(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return digest(Channels.newInputStream(channel));
    }
  }

  /** Forces a file's content to the disk. */
  static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Writes a text to a file. */
  static void write(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  /** Copies a file to where there is none, and forces the copy to the disk. */
  static void copy(Path file, Path target) throws IOException {
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      copy(from, target);
    }
  }

  /**
   * The same over what is there, of which nothing is written to: who still writes to that one does
   * no harm to this.
   *
   * @throws NoSuchFileException if there is no such file; nothing was removed then
   */
  static void replace(Path file, Path target) throws IOException {
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
      Files.deleteIfExists(target);
      copy(from, target);
    }
  }

  private static void copy(FileChannel from, Path target) throws IOException {
    try (FileChannel to =
        FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = from.size();
      for (long copied = 0; copied < size; ) {
        copied += from.transferTo(copied, size - copied, to);
      }
      to.force(true);
    }
  }

  /** Forces a folder's entries to the disk. */
  static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Makes a folder and those above it, those durably: of the folder itself the caller forces the
   * entry in its parent to the disk, with what it puts there.
   *
   * @return whether it was made
   */
  static boolean createFolder(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return false;
    }
    Path parent = folder.getParent();
    if (parent != null && createFolder(parent)) {
      syncFolder(parent.resolveSibling(""));
    }
    try {
      Files.createDirectory(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw new NotDirectoryException(folder.toString());
      }
      return false;
    }
  }

  private static String digest(InputStream content) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER];
    for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
      digest.update(buffer, 0, n);
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
