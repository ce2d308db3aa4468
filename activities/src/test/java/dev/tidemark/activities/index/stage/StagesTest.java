package dev.tidemark.activities.index.stage;

import static dev.tidemark.activities.index.stage.Kinds.APPEND;
import static dev.tidemark.activities.index.stage.Kinds.CDC;
import static dev.tidemark.activities.index.stage.Kinds.SNAPSHOT;
import static dev.tidemark.activities.index.stage.Kinds.deletion;
import static dev.tidemark.activities.index.stage.Kinds.row;
import static dev.tidemark.activities.index.stage.Kinds.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.source.BadRowsException;
import dev.tidemark.activities.index.stage.TestIndex.Row;
import dev.tidemark.workflows.index.Datasource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the stages make of transactions, one rule after another. */
class StagesTest {
  private static final Instant NOW = Instant.parse("2026-09-05T12:00:00Z");

  @TempDir Path folder;

  private TestIndex index(Datasource.Kind kind) {
    return new TestIndex(Kinds.type(kind), folder);
  }

  static Stream<Datasource.Kind> kinds() {
    return Stream.of(APPEND, SNAPSHOT, CDC);
  }

  // D12, D13
  @ParameterizedTest
  @MethodSource("kinds")
  void tenRowsOfAHundredThatChangeAreExactlyTenChanges(Datasource.Kind kind) throws Exception {
    TestIndex index = index(kind);
    @Nullable Integer seq = kind == CDC ? 1 : null;
    index.write("rows", kind == SNAPSHOT ? "all" : "first", rows(1, 100, "old", seq));
    index.build();

    List<Row> second = new ArrayList<>(rows(1, 90, "old", seq));
    second.addAll(rows(91, 100, "new", kind == CDC ? 2 : null));
    index.write("rows", kind == SNAPSHOT ? "all" : "second", second);
    IndexManifest made = index.build();

    assertThat(index.wasFull()).isFalse();
    assertThat(index.changelogs().get(0).entries()).isEqualTo(10);
    assertThat(index.changelogs().get(0).rows()).isEqualTo(100);
    assertThat(made.changed()).isEqualTo(10);
    assertThat(index.objects().values())
        .filteredOn(values -> "new".equals(values.get(1)))
        .hasSize(10);
  }

  // D14
  @Test
  void theRowOfTheLatestTransactionWins() throws Exception {
    TestIndex index = index(APPEND);
    index.write("rows", "first", List.of(row(1, "first")));
    index.write("rows", "second", List.of(row(1, "second")));
    index.build();

    assertThat(index.objects().get("1")).contains("second");
  }

  // D15
  @ParameterizedTest
  @MethodSource("kinds")
  void keysThatComeTwiceInOneTransactionAreRefusedByTheirNames(Datasource.Kind kind)
      throws Exception {
    TestIndex index = index(kind);
    @Nullable Integer seq = kind == CDC ? 1 : null;
    index.write("rows", "all", rows(1, 30, "old", seq));
    index.build();
    List<Row> twice = new ArrayList<>(rows(1, 12, "one", seq));
    twice.addAll(rows(1, 12, "other", seq));
    index.write("rows", kind == SNAPSHOT ? "all" : "second", twice);

    assertThatThrownBy(index::build)
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining("datasource 'rows'")
        .hasMessageContaining("[1, 10, ")
        .hasMessageContaining("and more");
    assertThat(index.objects()).hasSize(30);
  }

  // D17
  @Test
  void aColumnThatIsMerelyCalledIsDeletedDeletesNothing() throws Exception {
    TestIndex index = index(APPEND);
    index.write("rows", "first", List.of(row(1, "there")));
    index.build();

    assertThat(index.objects().get("1")).containsExactly(1L, "there", true);
  }

  // D18, D21
  @Test
  void aDeletionIsPassedAlongAndTakesTheEarlierObjectAway() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 10, "there", 1));
    index.build();
    index.write("rows", "second", List.of(row(3, "once more", 2), deletion(3, 3)));
    index.build();

    assertThat(index.changelogs().get(0).entries()).isEqualTo(1);
    assertThat(index.objects()).hasSize(9).doesNotContainKey("3");
  }

  // D-g4
  @Test
  void rowsOfOneOrderingAreOrderedByTheirTransactionsAndTwoOfOneAreRefused() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 10, "first", 5));
    index.write("rows", "second", List.of(row(1, "second", 5), row(1, "second", 5)));
    index.build();

    assertThat(index.objects().get("1")).contains("second");

    index.write("rows", "third", List.of(row(2, "one", 7), row(2, "other", 7)));
    assertThatThrownBy(index::build).hasMessageContaining("the same 'seq' in one transaction: [2]");

    index.write("rows", "third", List.of(row(2, "one", 7), row(2, "other", 7), row(2, "last", 8)));
    index.build();
    assertThat(index.objects().get("2")).contains("last");
  }

  // D25; paimon 5387, hudi 7335, 17642
  @Test
  void aRowWithASmallerOrderingThatComesLaterChangesNothingAlsoAfterADeletion() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 10, "newest", 9));
    index.write("rows", "second", List.of(deletion(2, 9)));
    index.build();
    index.write("rows", "third", List.of(row(1, "late", 4), row(2, "late", 4), deletion(3, 4)));
    IndexManifest made = index.build();

    assertThat(made.changed()).isZero();
    assertThat(index.objects()).hasSize(9).doesNotContainKey("2");
    assertThat(index.objects().get("1")).contains("newest");
  }

  // D-g5
  @Test
  void aDeletionOfAnUnknownKeyIsKeptForTheOlderRowThatComesLater() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 10, "there", 1));
    index.build();
    index.write("rows", "second", List.of(deletion(77, 5)));
    assertThat(index.build().objects()).isEqualTo(10);
    index.write("rows", "third", List.of(row(77, "late", 4)));
    index.build();

    assertThat(index.objects()).hasSize(10).doesNotContainKey("77");
  }

  // D-g6; paimon 8204
  @ParameterizedTest
  @MethodSource("kinds")
  void anObjectThatComesBackAsItWasIsThereAgain(Datasource.Kind kind) throws Exception {
    TestIndex index = index(kind);
    @Nullable Integer seq = kind == CDC ? 1 : null;
    index.write("rows", kind == SNAPSHOT ? "all" : "first", rows(1, 10, "there", seq));
    index.build();
    if (kind == CDC) {
      index.write("rows", "second", List.of(deletion(10, 2)));
    } else {
      index.write("rows", kind == SNAPSHOT ? "all" : "first", rows(1, 9, "there", seq));
    }
    index.build();
    assertThat(index.objects()).hasSize(9);

    index.write(
        "rows", kind == SNAPSHOT ? "all" : "third", rows(10, 10, "there", kind == CDC ? 3 : null));
    index.build();
    assertThat(index.objects()).containsKey("10");
  }

  // D-g7
  @Test
  void editsOfADeletedObjectAreThereAgainWhenItComesBack() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 10, "source", 1));
    index.edit(new Edit(1, "4", Edit.Action.SET, Map.of("name", "edited"), NOW));
    index.write("rows", "second", List.of(deletion(4, 2)));
    index.build();
    assertThat(index.objects()).doesNotContainKey("4");

    index.write("rows", "third", List.of(row(4, "source", 3)));
    index.build();
    assertThat(index.objects().get("4")).contains("edited");
  }

  // D26
  @Test
  void keysThatATransactionDoesNotGiveAnyMoreAreLookedForInAllOthers() throws Exception {
    TestIndex index = index(APPEND);
    index.write("rows", "first", rows(1, 10, "first", null));
    index.write("rows", "second", rows(8, 12, "second", null));
    index.build();
    index.write("rows", "second", rows(9, 12, "second", null));
    index.build();

    assertThat(index.wasFull()).isTrue();
    assertThat(index.objects()).hasSize(12);
    assertThat(index.objects().get("8")).contains("first");
  }

  // D27, D-g1
  @Test
  void eightyOfAHundredRowsAreIndexedAsChangesAndOneMoreAsAWhole() throws Exception {
    TestIndex index = index(APPEND);
    index.write("rows", "first", rows(1, 100, "old", null));
    index.build();
    index.write("rows", "second", rows(1, 80, "new", null));
    index.build();
    assertThat(index.wasFull()).isFalse();

    index.write("rows", "third", rows(1, 81, "newer", null));
    index.build();
    assertThat(index.wasFull()).isTrue();
  }

  // D29
  @Test
  void aFullReindexShowsTheSameAsAllChangesBeforeIt() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 20, "first", 1));
    index.build();
    index.write("rows", "second", List.of(row(1, "second", 2), deletion(2, 2)));
    index.edit(new Edit(1, "3", Edit.Action.SET, Map.of("name", "edited"), NOW));
    index.build();
    var before = index.objects();
    index.build(true);

    assertThat(index.objects()).isEqualTo(before).hasSize(19);
  }

  // D20, D21: within one transaction, and beside what is known
  @Test
  void orderingsThatCannotBeComparedAreBadDataAndNotTriedAgain() throws Exception {
    TestIndex index = index(CDC);
    index.write("rows", "first", rows(1, 10, "there", 1));
    index.build();
    Row text = new Row("3", "v2", List.of(3L, "text", true));
    index.write("rows", "second", List.of(text));
    assertThatThrownBy(index::build)
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining("datasource 'rows', key 3: the orderings");

    index.write("rows", "second", List.of(text, row(3, "number", 2)));
    assertThatThrownBy(index::build)
        .isInstanceOf(BadRowsException.class)
        .hasMessageContaining("cannot be compared");
  }

  // D27: 0.29 * 100 is less than 29 in binary
  @Test
  void exactlyTheShareOfRowsIsIndexedAsChanges() throws Exception {
    TestIndex index = new TestIndex(Kinds.type(APPEND, 0.29), folder);
    index.write("rows", "first", rows(1, 100, "old", null));
    index.build();
    index.write("rows", "second", rows(1, 29, "new", null));
    index.build();

    assertThat(index.wasFull()).isFalse();
  }
}
