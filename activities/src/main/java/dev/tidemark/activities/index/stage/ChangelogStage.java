package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The difference between what a datasource's new transactions say and what is known already:
 * exactly the rows that changed, whatever the datasource's kind (D12, D13). In a full build nothing
 * is known, and the difference is all.
 */
public final class ChangelogStage {
  private ChangelogStage() {}

  /** The name of the stage of a datasource. */
  public static String name(Datasource datasource) {
    return "changelog-" + datasource.name();
  }

  /**
   * Makes the changelog of a datasource, or finds the one that this build has made.
   *
   * @param datasource its place among those of the type
   * @param transactions in their order; at most one of each identity. All that there are in a full
   *     build
   * @throws IOException also {@link dev.tidemark.activities.index.source.BadRowsException}
   */
  public static StageManifest run(
      Build build,
      Workplace place,
      int datasource,
      List<Transaction> transactions,
      RowReader reader)
      throws IOException {
    String name = name(build.type().datasources().get(datasource));
    try (Shelf<StageManifest> shelf = new Shelf<>(build, place, name, StageManifest.class)) {
      Optional<StageManifest> published = shelf.published();
      if (published.isPresent()) {
        return published.get();
      }
      Path scratch = Scratch.folder("changelog");
      IndexManifest before = build.previous();
      try (PreviousIndex previous = before == null ? null : PreviousIndex.open(place, before);
          Changelog changelog =
              new Changelog(build, datasource, previous, scratch, place.watch())) {
        changelog.read(transactions, reader);
        Path file = shelf.folder().resolve("changelog");
        String full = changelog.write(file);
        return shelf.publish(
            new StageManifest(
                name,
                build.token(),
                full,
                changelog.entries(),
                changelog.rows(),
                changelog.taken(),
                full == null ? List.of(shelf.part(file, ".entries")) : List.of()));
      } finally {
        Durably.removeTree(scratch);
      }
    }
  }
}
