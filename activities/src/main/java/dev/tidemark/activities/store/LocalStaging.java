package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A folder on the same file system as the outputs: {@code files} in it is the task's, beside it is
 * what waits to be promoted.
 */
final class LocalStaging implements Staging {
  private final LocalStore store;
  private final LocalFaults faults;
  private final Path root;
  private final boolean mayCopy;
  private final Map<String, Path> staged = new LinkedHashMap<>();
  private final List<LocalFaults.Action> unsynced = new ArrayList<>();
  private final List<Syncing.Begun> syncing = new ArrayList<>();
  private final Set<String> promoted = new HashSet<>();
  private boolean used;
  private boolean removed;

  LocalStaging(LocalStore store, LocalFaults faults, StagingId id) {
    this.store = store;
    this.faults = faults;
    this.root = store.resolve(id.area().folder()).resolve(id.name());
    this.mayCopy = id.area().mayCopy();
  }

  @Override
  public Path folder() throws IOException {
    Path folder = files();
    if (!used) {
      faults.told(() -> made(folder));
      used = true;
    }
    return folder;
  }

  /** The area is nearly always there already: then not to look for it spares its calls. */
  private Path made(Path folder) throws IOException {
    try {
      Files.createDirectory(root);
      return Files.createDirectory(folder);
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      return Files.createDirectories(folder);
    }
  }

  private Path files() {
    return root.resolve("files");
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
          return Durably.digest(place);
        });
  }

  @Override
  public void add(String text, String target) throws IOException {
    faults.tell(
        () -> {
          if (!used && staged.isEmpty()) {
            Files.createDirectories(root);
          }
          Durably.write(place(target), text);
        });
  }

  private Path place(String target) {
    Path place = root.resolve(Integer.toString(staged.size()));
    staged.put(target, place);
    unsynced.add(() -> Durably.sync(place));
    return place;
  }

  @Override
  public void startSecuring() {
    if (!unsynced.isEmpty()) {
      syncing.add(Syncing.begin(unsynced));
      unsynced.clear();
    }
  }

  @Override
  public void secure() throws IOException {
    startSecuring();
    for (Syncing.Begun begun : syncing) {
      faults.tell(begun::await);
    }
    syncing.clear();
  }

  /** A later attempt finds the folder by its name. */
  @Override
  public List<StagedUpload> uploads() {
    return List.of();
  }

  @Override
  public void promote(List<String> targets) throws IOException {
    secure();
    faults.tell(
        () -> {
          Set<Path> changed = new LinkedHashSet<>();
          for (String target : targets) {
            Path path = store.resolve(target);
            Path folder = path.resolveSibling("");
            if (changed.add(folder) && Durably.createFolder(folder)) {
              changed.add(folder.resolveSibling(""));
            }
            move(staged(target), path);
            promoted.add(target);
          }
          changed.forEach(folder -> unsynced.add(() -> Durably.syncFolder(folder)));
        });
    startSecuring();
    removeIfDone();
  }

  /**
   * Never in another way than at once: a copy could be seen half-written (A36, A39). But for files
   * that no reader looks at before their marker is there (A40, A41).
   */
  private void move(Path place, Path path) throws IOException {
    try {
      Files.move(place, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      if (!mayCopy) {
        throw e;
      }
      Durably.replace(place, path);
    }
  }

  @Override
  public boolean promoteIfAbsent(String target) throws IOException {
    secure();
    return faults.told(
        () -> {
          Path path = store.resolve(target);
          Path folder = path.resolveSibling("");
          boolean isNew = Durably.createFolder(folder);
          try {
            appear(staged(target), path);
          } catch (FileAlreadyExistsException e) {
            return false;
          }
          unsynced.add(() -> Durably.syncFolder(folder));
          if (isNew) {
            unsynced.add(() -> Durably.syncFolder(folder.resolveSibling("")));
          }
          promoted.add(target);
          startSecuring();
          removeIfDone();
          secure();
          return true;
        });
  }

  /** A rename would silently replace what is there; a link does not (A-g3), nor does a new file. */
  private void appear(Path place, Path path) throws IOException {
    try {
      Files.createLink(path, place);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      boolean isRefused =
          !(e instanceof FileSystemException failed) || LocalFaults.meansNoLinks(failed);
      if (isRefused && mayCopy) {
        // Whatever is seen of it at first, the file that it is about is whole.
        Durably.copy(place, path);
      } else if (isRefused) {
        throw LocalFaults.noLinks(path, e);
      } else {
        throw e;
      }
    }
  }

  private Path staged(String target) {
    Path place = staged.get(target);
    if (place == null) {
      throw new IllegalStateException(target + " is not staged; staged are " + staged.keySet());
    }
    return place;
  }

  /**
   * While the disk works. What fails of it is left to {@link #close}, which says so: all is visible
   * already.
   */
  private void removeIfDone() {
    if (promoted.containsAll(staged.keySet())) {
      try {
        remove();
        removed = true;
      } catch (IOException e) {
        removed = false;
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (!removed && (used || !staged.isEmpty())) {
      faults.tell(this::remove);
    }
  }

  private void remove() throws IOException {
    try {
      for (Path place : staged.values()) {
        Files.deleteIfExists(place);
      }
      Files.deleteIfExists(files());
      Files.deleteIfExists(root);
    } catch (DirectoryNotEmptyException e) {
      // The task left more there, or still does.
      Durably.removeTree(root);
    }
  }
}
