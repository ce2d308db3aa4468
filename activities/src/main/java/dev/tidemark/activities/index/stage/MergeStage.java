package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.codec.StateCodec;
import dev.tidemark.activities.index.object.ObjectState;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.ObjectDocuments;
import dev.tidemark.activities.index.segment.StoredObjects;
import dev.tidemark.activities.index.sort.Entries;
import dev.tidemark.activities.index.sort.Entry;
import dev.tidemark.activities.index.sort.EntryFile;
import dev.tidemark.activities.index.sort.ExternalSort;
import dev.tidemark.activities.index.sort.MergedEntries;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Fetch;
import dev.tidemark.activities.store.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Joins the changelogs of all datasources, and the edits since the generation before, by key with
 * what is known of each object already: the objects that are now known otherwise.
 */
public final class MergeStage {
  public static final String NAME = "merged";

  private static final int BEAT_EVERY = 4_096;

  private final Build build;
  private final StateCodec codec;
  private final @Nullable StoredObjects stored;
  private final Watch watch;

  private MergeStage(Build build, @Nullable StoredObjects stored, Watch watch) {
    this.build = build;
    this.codec = new StateCodec(build.type());
    this.stored = stored;
    this.watch = watch;
  }

  /**
   * Makes the merged objects, or finds those that this build has made.
   *
   * @param changelogs one of each datasource, in their order
   */
  public static StageManifest run(
      Build build, Workplace place, List<StageManifest> changelogs, EditFeed edits)
      throws IOException {
    try (Shelf<StageManifest> shelf = new Shelf<>(build, place, NAME, StageManifest.class)) {
      Optional<StageManifest> published = shelf.published();
      if (published.isPresent()) {
        return published.get();
      }
      Path scratch = Scratch.folder("merge");
      IndexManifest before = build.previous();
      try (PreviousIndex previous = before == null ? null : PreviousIndex.open(place, before);
          ExternalSort sort = new ExternalSort(scratch, Changelog.MEMORY)) {
        StoredObjects stored =
            previous == null
                ? null
                : new StoredObjects(new ObjectDocuments(build.type()), previous.reader());
        MergeStage stage = new MergeStage(build, stored, place.watch());
        stage.sort(edits, sort);
        List<Entries> sources = changes(build, place, changelogs, scratch);
        sources.add(sort.sorted());
        Path file = shelf.folder().resolve(NAME);
        long entries;
        try (MergedEntries merged = new MergedEntries(sources)) {
          entries = stage.write(merged, file);
        }
        return shelf.publish(
            new StageManifest(
                NAME,
                build.token(),
                null,
                entries,
                0,
                List.of(),
                List.of(shelf.part(file, ".entries"))));
      } finally {
        Durably.removeTree(scratch);
      }
    }
  }

  private static List<Entries> changes(
      Build build, Workplace place, List<StageManifest> changelogs, Path scratch)
      throws IOException {
    List<Entries> changes = new ArrayList<>();
    for (StageManifest changelog : changelogs) {
      changes.add(entries(build, place, changelog, scratch));
    }
    return changes;
  }

  /** The entries of a stage that was published. */
  static Entries entries(Build build, Workplace place, StageManifest stage, Path scratch)
      throws IOException {
    IndexManifest.File part = stage.files().get(0);
    Path file = scratch.resolve(stage.stage());
    Fetch.to(file, place.store(), build.root() + part.stored());
    return EntryFile.read(file);
  }

  private void sort(EditFeed edits, ExternalSort sort) throws IOException {
    IndexManifest before = build.previous();
    edits.read(
        before == null ? 0 : before.editOffset(),
        build.throughEdit(),
        edit -> sort.add(new BytesRef(edit.key()), codec.encode(edit)));
  }

  private long write(MergedEntries changes, Path file) throws IOException {
    long worked = 0;
    try (EntryFile.Writer writer = new EntryFile.Writer(file)) {
      Entry change = changes.next();
      while (change != null) {
        BytesRef key = change.key();
        ObjectState known = stored == null ? null : stored.state(key);
        ObjectState before =
            known == null ? ObjectState.unknown(build.type().datasources().size()) : known;
        ObjectState state = before;
        for (; change != null && change.key().equals(key); change = changes.next()) {
          state = with(state, key, change, changes.source());
        }
        if (!state.equals(before)) {
          writer.write(key, codec.encode(state));
        }
        if (++worked % BEAT_EVERY == 0) {
          watch.beat();
        }
      }
      return writer.entries();
    }
  }

  private ObjectState with(ObjectState state, BytesRef key, Entry change, int source) {
    return source < build.type().datasources().size()
        ? state.with(source, codec.row(source, change.value()))
        : state.with(codec.edit(key.utf8ToString(), change.value()));
  }
}
