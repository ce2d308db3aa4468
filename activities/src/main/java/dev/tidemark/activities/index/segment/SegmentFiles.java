package dev.tidemark.activities.index.segment;

import dev.tidemark.activities.store.Digests;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Fetch;
import dev.tidemark.activities.store.OutputStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The files of the newest generation of each index that this process has to do with, as links: what
 * is here is not fetched again, so that a new generation costs its new files.
 */
public final class SegmentFiles {
  private final Path folder;

  /**
   * @param folder of this process alone
   */
  public SegmentFiles(Path folder) {
    this.folder = folder;
  }

  /** The folder of an index in its store, with a slash at its end. */
  public static String root(String objectType, long index) {
    return objectType + "/" + index + "/";
  }

  /**
   * Brings the files of a generation into a folder, under the names that Lucene knows them by. They
   * are to be read only.
   *
   * @param target an empty folder
   * @throws IOException also if a file is not what the manifest says
   */
  public void bring(OutputStore store, IndexManifest manifest, Path target) throws IOException {
    Path kept = folder(manifest);
    for (IndexManifest.File file : manifest.files()) {
      Path wanted = target.resolve(file.name());
      if (!isLinked(wanted, kept.resolve(base(file.stored())))) {
        fetch(store, manifest, file, wanted);
        keep(manifest, file.stored(), wanted);
      }
    }
    prune(kept, manifest);
  }

  private static boolean isLinked(Path wanted, Path kept) throws IOException {
    try {
      return Fetch.link(wanted, kept);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void fetch(
      OutputStore store, IndexManifest manifest, IndexManifest.File file, Path wanted)
      throws IOException {
    String name = root(manifest.objectType(), manifest.index()) + file.stored();
    Fetch.to(wanted, store, name);
    if (Files.size(wanted) != file.bytes() || !sha256(wanted).equals(file.sha256())) {
      throw new IOException(
          store.address(name)
              + " is not the file that its manifest names: it was damaged; ask for a full reindex");
    }
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream content = Files.newInputStream(file)) {
      return Digests.sha256(content);
    }
  }

  /**
   * Keeps a file of a generation, if it can be linked.
   *
   * @param stored its name in the store, below the folder of the index
   */
  public void keep(IndexManifest manifest, String stored, Path content) throws IOException {
    Path kept = folder(manifest).resolve(base(stored));
    try {
      Fetch.link(kept, content);
    } catch (FileAlreadyExistsException e) {
      // Kept by another thread.
      return;
    }
  }

  /** Removes what is kept of other indexes. */
  public void keepOnly(Set<Long> indexes) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path one : all) {
        String name = one.getFileName().toString();
        if (!indexes.contains(Long.valueOf(name.substring(name.lastIndexOf('-') + 1)))) {
          Durably.removeTree(one);
        }
      }
    }
  }

  private Path folder(IndexManifest manifest) throws IOException {
    return Files.createDirectories(folder.resolve(manifest.objectType() + "-" + manifest.index()));
  }

  private static String base(String stored) {
    return stored.substring(stored.lastIndexOf('/') + 1);
  }

  private static void prune(Path kept, IndexManifest manifest) throws IOException {
    Set<String> named =
        manifest.files().stream().map(file -> base(file.stored())).collect(Collectors.toSet());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(kept)) {
      for (Path file : files) {
        if (!named.contains(file.getFileName().toString())) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
