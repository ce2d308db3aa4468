package dev.tidemark.activities.index.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.index.object.SourceRow;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.index.source.RowReader;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How stages publish what they made. */
class PublishingTest {
  private static final List<Transaction> FIRST =
      List.of(new Transaction(1, "first", "1", List.of()));

  @TempDir Path folder;

  private final Build build = new Build(Kinds.type(Kinds.APPEND), 1, 1, 5, 0, null);

  private Workplace place(Watch watch) {
    return new Workplace(
        new LocalStore(folder.resolve("store"), Clock.systemUTC()),
        new SegmentFiles(folder.resolve("segments")),
        watch);
  }

  private static String row(RowReader.Sink sink, Transaction transaction) throws IOException {
    sink.row("1", new SourceRow(transaction.number(), null, List.of(1L, "there", true)));
    return transaction.version();
  }

  private List<String> stored() throws IOException {
    if (!Files.exists(folder.resolve("store"))) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.resolve("store").relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  // D3, D4
  @Test
  void whatABuildHasPublishedIsFoundAndNotMadeAgain() throws IOException {
    Workplace place = place(Watch.NONE);
    StageManifest made =
        ChangelogStage.run(build, place, 0, FIRST, (transaction, sink) -> row(sink, transaction));
    List<String> stored = stored();

    StageManifest found =
        ChangelogStage.run(
            build,
            place,
            0,
            FIRST,
            (transaction, sink) -> {
              throw new IllegalStateException("read again");
            });

    assertThat(found).isEqualTo(made);
    assertThat(stored())
        .isEqualTo(stored)
        .hasSize(2)
        .allMatch(name -> name.startsWith("thing/1/changelog-rows/1-5/"));
  }

  // D3
  @Test
  void ofTwoAttemptsAtOnceTheFirstThatEndsStandsAndTheOtherTakesItsFilesAway() throws IOException {
    Workplace place = place(Watch.NONE);
    StageManifest[] first = new StageManifest[1];
    StageManifest second =
        ChangelogStage.run(
            build,
            place,
            0,
            FIRST,
            (transaction, sink) -> {
              first[0] =
                  ChangelogStage.run(build, place, 0, FIRST, (same, other) -> row(other, same));
              return row(sink, transaction);
            });

    assertThat(second).isEqualTo(first[0]);
    assertThat(stored()).hasSize(2).contains("thing/1/" + second.files().get(0).stored());
  }

  // D3
  @Test
  void aBuildThatWasSupersededPublishesNothingAndLeavesNothing() throws IOException {
    Watch superseded =
        new Watch() {
          @Override
          public void beat() {
            // Alive, and yet too late.
          }

          @Override
          public void confirm(String step) throws SupersededBuildException {
            throw new SupersededBuildException(step);
          }
        };

    assertThatThrownBy(
            () ->
                ChangelogStage.run(
                    build,
                    place(superseded),
                    0,
                    FIRST,
                    (transaction, sink) -> row(sink, transaction)))
        .isInstanceOf(SupersededBuildException.class)
        .hasMessageContaining("publish changelog-rows/1-5/");
    assertThat(stored()).isEmpty();
  }

  // D12
  @Test
  void aNewGenerationNamesTheFilesOfTheOneBeforeAndTheSweepTakesTheOthersAway() throws Exception {
    TestIndex index = new TestIndex(Kinds.type(Kinds.APPEND), folder);
    index.write("rows", "first", Kinds.rows(1, 100, "first", null));
    IndexManifest first = index.build();
    index.write("rows", "second", Kinds.rows(1, 3, "second", null));
    IndexManifest second = index.build();
    index.build(true);

    assertThat(second.files()).anyMatch(file -> first.files().contains(file));
    assertThatThrownBy(() -> index.sweep(Set.of(77L), 78)).hasMessageContaining("nothing was");
    int removed = index.sweep(Set.of(3L), 3);
    assertThat(removed).isPositive();
    assertThat(index.beats()).as("seen and removed, each").isGreaterThan(2 * removed);
    assertThat(stored())
        .allMatch(name -> name.contains("-3-") || name.contains("/3-3/"))
        .anyMatch(name -> name.startsWith("thing/1/files/"));
    assertThat(index.objects()).hasSize(100);
    assertThat(index.sweep(Set.of(3L), 4)).isZero();
  }
}
