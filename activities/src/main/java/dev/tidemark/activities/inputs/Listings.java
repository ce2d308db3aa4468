package dev.tidemark.activities.inputs;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The folders that one scan looks into, each listed at most once. A folder that is not there holds
 * nothing; one that cannot be read is an error.
 */
final class Listings {
  private static final int MAX_NAMES = 5_000_000;

  private final Map<Path, NavigableSet<String>> listed = new HashMap<>();
  private int names;

  /** The names in a folder that start with the prefix. */
  NavigableSet<String> names(Path folder, String prefix) throws IOException {
    NavigableSet<String> all = listed.get(folder);
    if (all == null) {
      all = list(folder);
      listed.put(folder, all);
    }
    return prefix.isEmpty() ? all : all.subSet(prefix, true, prefix + Character.MAX_VALUE, false);
  }

  private NavigableSet<String> list(Path folder) throws IOException {
    NavigableSet<String> found = new TreeSet<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      for (Path path : stream) {
        found.add(path.getFileName().toString());
        if (++names > MAX_NAMES) {
          throw new IOException("more than " + MAX_NAMES + " files to look at; narrow the glob");
        }
      }
      return found;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Collections.emptyNavigableSet();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }
}
