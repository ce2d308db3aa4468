package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.codec.StateCodec;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.sort.Entries;
import dev.tidemark.activities.index.sort.Entry;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Writes the merged objects to a Lucene index: beside the files of the generation before, of which
 * those that are still needed are named again and not written again, or to a new one.
 */
public final class IndexStage {
  public static final String NAME = "index";

  private static final int BEAT_EVERY = 1_024;

  private final Build build;
  private final Workplace place;
  private final Path folder;

  private IndexStage(Build build, Workplace place, Path folder) {
    this.build = build;
    this.place = place;
    this.folder = folder;
  }

  /**
   * Makes the index of the generation, or finds the one that this build has made.
   *
   * @param merged of this build
   * @param changelogs of this build, one of each datasource, in their order
   */
  public static IndexManifest run(
      Build build, Workplace place, StageManifest merged, List<StageManifest> changelogs)
      throws IOException {
    try (Shelf<IndexManifest> shelf = new Shelf<>(build, place, NAME, IndexManifest.class)) {
      Optional<IndexManifest> published = shelf.published();
      if (published.isPresent()) {
        return published.get();
      }
      IndexStage stage =
          new IndexStage(build, place, Files.createDirectory(shelf.folder().resolve("index")));
      Counts counts = stage.write(merged);
      return stage.publish(shelf, counts, sources(build, changelogs), merged.entries());
    }
  }

  /** Where the manifest of a generation is, for the ledger. */
  public static String address(Build build, Workplace place) {
    return place.store().address(Shelf.marker(build, NAME));
  }

  private record Counts(long objects, long documents) {}

  private Counts write(StageManifest merged) throws IOException {
    Path scratch = Scratch.folder("index");
    try (Directory directory = FSDirectory.open(folder);
        Entries objects = MergeStage.entries(build, place, merged, scratch)) {
      if (build.previous() != null) {
        place.segments().bring(place.store(), build.previous(), folder);
      }
      try (IndexWriter writer = new IndexWriter(directory, config())) {
        write(objects, writer);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        if (build.isFull() && reader.numDocs() != merged.entries()) {
          throw new IOException(
              "the index has %d documents of %d merged objects"
                  .formatted(reader.numDocs(), merged.entries()));
        }
        return new Counts(
            new IndexSearcher(reader).count(ObjectDocuments.VISIBLE), reader.numDocs());
      }
    } finally {
      Durably.removeTree(scratch);
    }
  }

  /** Merges by the thread that writes: the other cores are for those who ask meanwhile. */
  private static IndexWriterConfig config() {
    return ObjectDocuments.config().setMergeScheduler(new SerialMergeScheduler());
  }

  private void write(Entries objects, IndexWriter writer) throws IOException {
    ObjectDocuments documents = new ObjectDocuments(build.type());
    StateCodec codec = new StateCodec(build.type());
    long worked = 0;
    for (Entry object = objects.next(); object != null; object = objects.next()) {
      String key = object.key().utf8ToString();
      ObjectState state = codec.state(object.value());
      Document document = documents.document(key, state, object.value());
      if (build.isFull()) {
        writer.addDocument(document);
      } else {
        writer.updateDocument(ObjectDocuments.term(key), document);
      }
      if (++worked % BEAT_EVERY == 0) {
        place.watch().beat();
      }
    }
  }

  private IndexManifest publish(
      Shelf<IndexManifest> shelf, Counts counts, List<IndexManifest.Source> sources, long changed)
      throws IOException {
    IndexManifest made = manifest(counts, sources, changed, List.of());
    Map<String, IndexManifest.File> known = new HashMap<>();
    if (build.previous() != null) {
      build.previous().files().forEach(file -> known.put(file.name(), file));
    }
    List<IndexManifest.File> files = new ArrayList<>();
    for (String name : names()) {
      IndexManifest.File file = known.get(name);
      if (file == null) {
        Path content = folder.resolve(name);
        place.segments().keep(made, shelf.stored(name), content);
        file = shelf.segment(content);
      }
      files.add(file);
    }
    return shelf.publish(manifest(counts, sources, changed, files));
  }

  /** Lucene never gives a name twice in the life of an index: a known name is a known content. */
  private Collection<String> names() throws IOException {
    try (Directory directory = FSDirectory.open(folder)) {
      return SegmentInfos.readLatestCommit(directory).files(true).stream().sorted().toList();
    }
  }

  private IndexManifest manifest(
      Counts counts,
      List<IndexManifest.Source> sources,
      long changed,
      List<IndexManifest.File> files) {
    return new IndexManifest(
        IndexManifest.FORMAT_VERSION,
        build.type().name(),
        build.index(),
        build.generation(),
        build.token(),
        build.throughEdit(),
        counts.objects(),
        counts.documents(),
        changed,
        sources,
        files);
  }

  private static List<IndexManifest.Source> sources(Build build, List<StageManifest> changelogs) {
    List<IndexManifest.Source> sources = new ArrayList<>();
    for (int i = 0; i < changelogs.size(); i++) {
      Datasource datasource = build.type().datasources().get(i);
      StageManifest changelog = changelogs.get(i);
      sources.add(new IndexManifest.Source(datasource.name(), changelog.rows(), changelog.taken()));
    }
    return sources;
  }
}
