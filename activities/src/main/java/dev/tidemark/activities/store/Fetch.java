package dev.tidemark.activities.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Brings objects of a store to the local file system. */
public final class Fetch {
  private Fetch() {}

  /**
   * Makes a file of an object: a link to it where the store is of the same file system, else a
   * copy. So the file is to be read only.
   *
   * @param target that is not there yet
   * @return whether it was copied
   * @throws NoSuchFileException if there is no such object
   */
  public static boolean to(Path target, OutputStore store, String name) throws IOException {
    if (store instanceof LocalStore local && link(target, local.resolve(name))) {
      return false;
    }
    try (InputStream content = store.open(name)) {
      Files.copy(content, target);
      return true;
    }
  }

  /**
   * Makes a file another name of a file, if the file systems let it be.
   *
   * @return false if they don't
   */
  public static boolean link(Path target, Path file) throws IOException {
    try {
      Files.createLink(target, file);
      return true;
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false;
    }
  }
}
