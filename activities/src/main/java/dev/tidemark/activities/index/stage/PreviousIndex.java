package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** The generation that a build adds to, open for reading. */
final class PreviousIndex implements Closeable {
  private final Path folder;
  private final Directory directory;
  private final DirectoryReader reader;

  private PreviousIndex(Path folder, Directory directory, DirectoryReader reader) {
    this.folder = folder;
    this.directory = directory;
    this.reader = reader;
  }

  static PreviousIndex open(Workplace place, IndexManifest manifest) throws IOException {
    Path folder = Scratch.folder("objects");
    Directory directory = FSDirectory.open(folder);
    try {
      place.segments().bring(place.store(), manifest, folder);
      return new PreviousIndex(folder, directory, DirectoryReader.open(directory));
    } catch (IOException | RuntimeException e) {
      try (directory) {
        Durably.removeTree(folder);
      } catch (IOException failed) {
        e.addSuppressed(failed);
      }
      throw e;
    }
  }

  IndexReader reader() {
    return reader;
  }

  @Override
  public void close() throws IOException {
    try (directory;
        reader) {
      // Closed in this order: the reader, then its directory.
    } finally {
      Durably.removeTree(folder);
    }
  }
}
