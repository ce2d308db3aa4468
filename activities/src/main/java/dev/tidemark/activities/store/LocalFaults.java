package dev.tidemark.activities.store;

import dev.tidemark.activities.store.StoreException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells what is wrong with a disk from what is wrong with a file: only words do. */
final class LocalFaults {
  private final Path location;

  LocalFaults(Path location) {
    this.location = location;
  }

  /** Does something with files, and gives what came of it. */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws IOException;
  }

  /** Does something with files. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  /** Asks; a fault of the disk, or of the rights on it, is thrown as a {@link StoreException}. */
  <T> T told(Question<T> question) throws IOException {
    try {
      return question.ask();
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      throw of(e).orElse(e);
    }
  }

  /** The same, without an answer. */
  void tell(Action action) throws IOException {
    told(
        () -> {
          action.run();
          return true;
        });
  }

  /** The fault, if it is one of the disk. */
  private Optional<IOException> of(IOException e) {
    String file = location.toString();
    String reason = String.valueOf(e.getMessage());
    if (e instanceof FileSystemException named) {
      file = named.getFile() == null ? file : named.getFile();
      reason = String.valueOf(named.getReason());
    }
    if (e instanceof NotDirectoryException || reason.startsWith("Not a directory")) {
      return Optional.of(noFolder(file, e));
    }
    if (e instanceof AccessDeniedException) {
      return fault(Kind.DENIED, file + ": not allowed; give this user the right to it", e);
    }
    if (reason.startsWith("Read-only file system")) {
      return fault(Kind.DENIED, file + ": " + reason + "; mount it for writing", e);
    }
    if (reason.startsWith("No space left") || reason.startsWith("Disk quota exceeded")) {
      return fault(Kind.FULL, file + ": " + reason + "; make space", e);
    }
    if (reason.startsWith("Input/output error") || reason.startsWith("Stale file handle")) {
      return fault(Kind.UNREACHABLE, file + ": " + reason + "; look at the disk", e);
    }
    return Optional.empty();
  }

  /**
   * Whether a failed link says that the file system has none (A-g3), or not to there: Linux throws
   * no other.
   */
  static boolean meansNoLinks(FileSystemException e) {
    String reason = String.valueOf(e.getReason());
    return reason.startsWith("Operation not permitted")
        || reason.startsWith("Operation not supported")
        || reason.startsWith("Invalid cross-device link")
        || reason.startsWith("Function not implemented");
  }

  /** Nothing else is done instead: two attempts could both believe that they have committed. */
  static StoreException noLinks(Path path, Exception cause) {
    return new StoreException(
        Kind.REFUSED,
        path
            + ": its file system has no hard links ("
            + cause.getMessage()
            + "), by which one of two attempts is refused; keep the output location on a file"
            + " system that has them",
        cause);
  }

  /** A file is where a folder must be, there or above. */
  static StoreException noFolder(String path, @Nullable Exception cause) {
    return new StoreException(
        Kind.UNREACHABLE,
        path
            + (cause == null || cause instanceof NotDirectoryException
                ? " is a file where a folder must be"
                : " cannot be there: something above it is a file where a folder must be")
            + "; move it away, or correct the output's location",
        cause);
  }

  private static Optional<IOException> fault(Kind kind, String message, IOException cause) {
    return Optional.of(new StoreException(kind, message, cause));
  }
}
