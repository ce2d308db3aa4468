package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Brings the files of an index to this process (D3, D4). A file is fetched once, whatever
 * generations name it: each has a folder of its own with links to them, in which its index may make
 * others. What is fetched is checked before it has its name.
 */
final class Hydration {
  /** Left to others on the same disk. */
  private static final long RESERVE = 64L << 20;

  private static final String UNFINISHED = ".part";

  private final OutputStore store;
  private final String stored;
  private final Path files;

  /**
   * @param stored the folder of the index in the store, with {@code /} at its end
   * @param files a folder of this process for this index alone
   */
  Hydration(OutputStore store, String stored, Path files) {
    this.store = store;
    this.stored = stored;
    this.files = files;
  }

  /**
   * Fetches what is missing, and links all of the generation into a new folder.
   *
   * @throws IOException if a file cannot be had, is not what the manifest says, or has no room
   */
  void into(Path folder, IndexManifest manifest) throws IOException {
    Files.createDirectories(files);
    List<IndexManifest.File> missing =
        manifest.files().stream().filter(file -> !Files.exists(local(file))).toList();
    requireRoom(manifest, missing.stream().mapToLong(IndexManifest.File::bytes).sum());
    for (IndexManifest.File file : missing) {
      fetch(file);
    }
    Files.createDirectories(folder);
    for (IndexManifest.File file : manifest.files()) {
      Files.createLink(folder.resolve(file.name()), local(file));
    }
  }

  /** Removes what this generation does not name: those before it have links of their own. */
  void keepOnly(IndexManifest manifest) throws IOException {
    Set<Path> named = manifest.files().stream().map(this::local).collect(Collectors.toSet());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(files)) {
      for (Path file : all) {
        if (!named.contains(file)) {
          Files.delete(file);
        }
      }
    }
  }

  private Path local(IndexManifest.File file) {
    return files.resolve(Path.of(file.stored()).getFileName());
  }

  private void requireRoom(IndexManifest manifest, long bytes) throws IOException {
    long room = Files.getFileStore(files).getUsableSpace() - RESERVE;
    if (bytes > room) {
      throw new StoreException(
          StoreException.Kind.FULL,
          "generation %d of '%s' needs %d bytes more in %s, where there is room for %d; make room, or set java.io.tmpdir to a larger disk"
              .formatted(
                  manifest.generation(), manifest.objectType(), bytes, files, Math.max(room, 0)),
          null);
    }
  }

  private void fetch(IndexManifest.File file) throws IOException {
    Path target = local(file);
    Path part = files.resolve(target.getFileName() + UNFINISHED);
    MessageDigest digest = Durably.sha256();
    long bytes;
    try (InputStream content = new DigestInputStream(store.open(stored + file.stored()), digest)) {
      bytes = Files.copy(content, part, StandardCopyOption.REPLACE_EXISTING);
    }
    String sha256 = HexFormat.of().formatHex(digest.digest());
    if (bytes != file.bytes() || !sha256.equals(file.sha256())) {
      Files.delete(part);
      throw new IOException(
          "%s has %d bytes of SHA-256 %s, where its manifest says %d of %s; it is fetched again"
              .formatted(
                  store.address(stored + file.stored()),
                  bytes,
                  sha256,
                  file.bytes(),
                  file.sha256()));
    }
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }
}
