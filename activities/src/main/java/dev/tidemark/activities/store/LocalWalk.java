package dev.tidemark.activities.store;

import dev.tidemark.activities.store.OutputStore.Visitor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a folder in the order in which an object store lists: by the bytes of the whole
 * name, in which a folder's name ends with {@code /}. Holds one folder's names at a time for each
 * level.
 */
final class LocalWalk {
  private static final Comparator<String> BYTE_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private final Path location;
  private final String prefix;
  private final @Nullable String after;
  private final Visitor visitor;

  LocalWalk(Path location, String prefix, @Nullable String after, Visitor visitor) {
    this.location = location;
    this.prefix = prefix;
    this.after = after;
    this.visitor = visitor;
  }

  void run() throws IOException {
    if (Files.exists(location) && !Files.isDirectory(location)) {
      throw new StoreException(
          StoreException.Kind.UNREACHABLE,
          location + " is not a folder; correct the output's location",
          null);
    }
    int slash = prefix.lastIndexOf('/');
    String base = slash < 0 ? "" : prefix.substring(0, slash + 1);
    walk(location.resolve(base), base);
  }

  /** Returns false once the visitor has seen enough. */
  private boolean walk(Path folder, String base) throws IOException {
    for (String child : children(folder, base)) {
      boolean isFolder = child.endsWith("/");
      if (isFolder ? !walk(location.resolve(child), child) : !visit(child)) {
        return false;
      }
    }
    return true;
  }

  private boolean visit(String name) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = Files.readAttributes(location.resolve(name), BasicFileAttributes.class);
    } catch (NoSuchFileException gone) {
      return true;
    }
    return visitor.visit(new StoredObject(name, attributes.size()));
  }

  /** The full names of what is in a folder and may matter, folders with a slash at their end. */
  private List<String> children(Path folder, String base) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      for (Path child : stream) {
        String name = base + child.getFileName();
        boolean isFolder = Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS);
        if (isFolder ? mayHold(name + "/") : isWanted(name)) {
          names.add(isFolder ? name + "/" : name);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(BYTE_ORDER);
    return names;
  }

  private boolean isWanted(String name) {
    return name.startsWith(prefix) && (after == null || BYTE_ORDER.compare(name, after) > 0);
  }

  private boolean mayHold(String folder) {
    if (folder.endsWith("_staging/")) {
      return false;
    }
    boolean below = folder.startsWith(prefix) || prefix.startsWith(folder);
    return below
        && (after == null || after.startsWith(folder) || BYTE_ORDER.compare(folder, after) > 0);
  }
}
