package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A folder on the same file system as the outputs: {@code files} is the task's, {@code staged}
 * holds what waits to be promoted.
 */
final class LocalStaging implements Staging {
  private final LocalStore store;
  private final LocalFaults faults;
  private final Path root;
  private final Map<String, Path> staged = new HashMap<>();
  private boolean used;

  LocalStaging(LocalStore store, LocalFaults faults, Path root) {
    this.store = store;
    this.faults = faults;
    this.root = root;
  }

  @Override
  public Path folder() throws IOException {
    Path folder = root.resolve("files");
    if (!used) {
      faults.told(() -> Files.createDirectories(folder));
      used = true;
    }
    return folder;
  }

  @Override
  public String share() throws IOException {
    return faults.told(() -> Files.createDirectories(root.resolve("files"))).toString();
  }

  /** Not made anew: a folder that is gone must not look like one without files. */
  @Override
  public void take() {
    used = true;
  }

  @Override
  public boolean isUsed() {
    return used;
  }

  @Override
  public String add(Path file, String target) throws IOException {
    return faults.told(
        () -> {
          Path place = place(target);
          // From here on the task's open handles, if any are left, are the only way to change it.
          Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
          Durably.sync(place);
          return Durably.digest(place);
        });
  }

  @Override
  public void add(String text, String target) throws IOException {
    faults.tell(
        () -> {
          Path place = place(target);
          Files.writeString(place, text, StandardCharsets.UTF_8);
          Durably.sync(place);
        });
  }

  private Path place(String target) throws IOException {
    Path folder = root.resolve("staged");
    Files.createDirectories(folder);
    Path place = folder.resolve(Integer.toString(staged.size()));
    staged.put(target, place);
    return place;
  }

  /** A later attempt finds the folder by its name. */
  @Override
  public List<StagedUpload> uploads() {
    return List.of();
  }

  @Override
  public void promote(List<String> targets) throws IOException {
    faults.tell(() -> move(targets));
  }

  private void move(List<String> targets) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (String target : targets) {
      Path path = store.resolve(target);
      folders.add(folderOf(path));
      // Never anything else if this is not possible: a copy could be seen half-written (A36, A39).
      Files.move(staged(target), path, StandardCopyOption.ATOMIC_MOVE);
    }
    for (Path folder : folders) {
      Durably.sync(folder);
    }
  }

  @Override
  public boolean promoteIfAbsent(String target) throws IOException {
    return faults.told(() -> link(target));
  }

  private boolean link(String target) throws IOException {
    Path path = store.resolve(target);
    Path folder = folderOf(path);
    try {
      // A rename would silently replace what is there; a link does not (A-g3).
      Files.createLink(path, staged(target));
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (UnsupportedOperationException e) {
      throw LocalFaults.noLinks(path, e);
    } catch (FileSystemException e) {
      if (LocalFaults.meansNoLinks(e)) {
        throw LocalFaults.noLinks(path, e);
      }
      throw e;
    }
    Durably.sync(folder);
    return true;
  }

  private static Path folderOf(Path path) throws IOException {
    Path folder = path.resolveSibling("");
    Durably.createFolders(folder);
    return folder;
  }

  private Path staged(String target) {
    Path place = staged.get(target);
    if (place == null) {
      throw new IllegalStateException(target + " is not staged; staged are " + staged.keySet());
    }
    return place;
  }

  @Override
  public void close() throws IOException {
    if (used || !staged.isEmpty()) {
      faults.tell(() -> Durably.removeTree(root));
    }
  }
}
