package dev.tidemark.activities.store;

import dev.tidemark.activities.store.OutputStore.Visitor;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a folder in the order in which an object store lists: by the bytes of the whole
 * name, in which a folder's name ends with {@code /}. Holds one folder's names at a time for each
 * level.
 */
final class LocalWalk {
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
      throw LocalFaults.noFolder(location.toString(), null);
    }
    int slash = prefix.lastIndexOf('/');
    String base = slash < 0 ? "" : prefix.substring(0, slash + 1);
    walk(location.resolve(base), base);
  }

  /** What is in a folder, by its full name, which ends with a slash for a folder. */
  private record Child(String name, long bytes, boolean isLink) {
    boolean isFolder() {
      return name.endsWith("/");
    }
  }

  /** Returns false once the visitor has seen enough. */
  private boolean walk(Path folder, String base) throws IOException {
    for (Child child : children(folder, base)) {
      boolean goesOn =
          child.isFolder()
              ? walk(location.resolve(child.name()), child.name())
              : visitor.visit(new StoredObject(child.name(), child.bytes(), child.isLink()));
      if (!goesOn) {
        return false;
      }
    }
    return true;
  }

  /** What is in a folder and may matter; the attributes of each are read once. */
  private List<Child> children(Path folder, String base) throws IOException {
    List<Child> children = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      for (Path path : stream) {
        Child child = child(path, base + path.getFileName());
        if (child != null && (child.isFolder() ? mayHold(child.name()) : isWanted(child.name()))) {
          children.add(child);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    children.sort(Comparator.comparing(Child::name, StoredObject.BYTE_ORDER));
    return children;
  }

  /**
   * Null where it is gone meanwhile. A link is what it points to, but no folder is entered by one.
   */
  private static @Nullable Child child(Path path, String name) throws IOException {
    try {
      BasicFileAttributes own =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (own.isDirectory()) {
        return new Child(name + "/", 0, false);
      }
      return own.isSymbolicLink()
          ? new Child(name, Files.readAttributes(path, BasicFileAttributes.class).size(), true)
          : new Child(name, own.size(), false);
    } catch (NoSuchFileException gone) {
      return null;
    }
  }

  private boolean isWanted(String name) {
    return name.startsWith(prefix)
        && (after == null || StoredObject.BYTE_ORDER.compare(name, after) > 0);
  }

  private boolean mayHold(String folder) {
    if (folder.equals("_staging/") || folder.endsWith("/_staging/")) {
      return false;
    }
    boolean below = folder.startsWith(prefix) || prefix.startsWith(folder);
    return below
        && (after == null
            || after.startsWith(folder)
            || StoredObject.BYTE_ORDER.compare(folder, after) > 0);
  }
}
