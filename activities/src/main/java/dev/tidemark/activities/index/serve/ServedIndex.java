package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.index.ledger.Edits;
import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.query.Generation;
import dev.tidemark.activities.index.query.View;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.StoredObjects;
import dev.tidemark.activities.store.Durably;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * One generation of an index, open in this process, with the edits that were made after it on top
 * (D7): a writer of its own puts them into segments of its own, and never changes a file that it
 * was handed. Its view is replaced as a whole.
 */
final class ServedIndex implements AutoCloseable {
  private static final int EDITS_AT_ONCE = 1_000;
  private static final double BUFFER_MB = 16;

  /** Segments that were handed in stay as they are: only those of edits are merged. */
  private static final double LARGEST_MERGED_MB = 64;

  private final ObjectIndex index;
  private final IndexManifest manifest;
  private final ObjectDocuments documents;
  private final Path folder;
  private final MMapDirectory directory;
  private final IndexWriter writer;
  private volatile View view;

  private ServedIndex(ObjectIndex index, IndexManifest manifest, Path folder) throws IOException {
    this.index = index;
    this.manifest = manifest;
    this.documents = new ObjectDocuments(index.type());
    this.folder = folder;
    this.directory = new MMapDirectory(folder);
    this.writer = new IndexWriter(directory, config());
    this.view = view(DirectoryReader.open(writer), manifest.editOffset());
  }

  /** Opens what was hydrated into a folder, which is removed when this is closed. */
  static ServedIndex open(ObjectIndex index, IndexManifest manifest, Path folder)
      throws IOException {
    ServedIndex open = new ServedIndex(index, manifest, folder);
    open.warm();
    return open;
  }

  private static IndexWriterConfig config() {
    TieredMergePolicy merges = new TieredMergePolicy();
    merges.setMaxMergedSegmentMB(LARGEST_MERGED_MB);
    ConcurrentMergeScheduler scheduler = new ConcurrentMergeScheduler();
    scheduler.setMaxMergesAndThreads(2, 1);
    return ObjectDocuments.config()
        .setOpenMode(IndexWriterConfig.OpenMode.APPEND)
        .setRAMBufferSizeMB(BUFFER_MB)
        .setMergePolicy(merges)
        .setMergeScheduler(scheduler)
        .setCommitOnClose(false);
  }

  private View view(DirectoryReader reader, long editOffset) {
    return new View(
        UUID.randomUUID().toString(),
        index.type(),
        new IndexSearcher(reader),
        new Generation(index.id(), manifest.generation(), editOffset));
  }

  /** Reads what every question reads, so that the first one finds it in memory. */
  private void warm() throws IOException {
    view.searcher().count(ObjectDocuments.VISIBLE);
  }

  ObjectIndex index() {
    return index;
  }

  IndexManifest manifest() {
    return manifest;
  }

  /** Where it stands now. */
  Generation generation() {
    return view.generation();
  }

  /** Whether edits can be put on top no more, as by a full disk; it can still be read. */
  boolean isBroken() {
    return !writer.isOpen();
  }

  /** What there is now, for the caller to close; empty once this is closed. */
  Optional<View> acquire() {
    View current = view;
    while (!current.hold()) {
      View newer = view;
      if (newer.id().equals(current.id())) {
        return Optional.empty();
      }
      current = newer;
    }
    return Optional.of(current);
  }

  /**
   * Puts all edits on top that the ledger has, in their order; each batch is seen as a whole.
   * Called by one at a time.
   */
  void catchUp(Edits edits) throws IOException {
    while (true) {
      long offset = view.generation().editOffset();
      Edits.Page page = edits.after(index, offset, EDITS_AT_ONCE);
      if (page.through() == offset) {
        return;
      }
      apply(page.edits());
      show(page.through());
    }
  }

  private void apply(List<Edit> edits) throws IOException {
    StoredObjects stored = new StoredObjects(documents, view.searcher().getIndexReader());
    Map<String, ObjectState> changed = new LinkedHashMap<>();
    for (Edit edit : edits) {
      ObjectState before = changed.get(edit.key());
      if (before == null) {
        before = stored.state(new BytesRef(edit.key()));
      }
      if (before == null) {
        before = ObjectState.unknown(index.type().datasources().size());
      }
      changed.put(edit.key(), before.with(edit));
    }
    for (Map.Entry<String, ObjectState> one : changed.entrySet()) {
      writer.updateDocument(
          ObjectDocuments.term(one.getKey()), documents.document(one.getKey(), one.getValue()));
    }
  }

  private void show(long editOffset) throws IOException {
    View before = view;
    DirectoryReader changed =
        DirectoryReader.openIfChanged((DirectoryReader) before.searcher().getIndexReader(), writer);
    if (changed == null) {
      before.searcher().getIndexReader().incRef();
      changed = (DirectoryReader) before.searcher().getIndexReader();
    }
    view = view(changed, editOffset);
    before.close();
  }

  /** Whoever holds a view goes on reading it. */
  @Override
  public void close() throws IOException {
    writer.rollback();
    view.close();
    directory.close();
    Durably.removeTree(folder);
  }
}
