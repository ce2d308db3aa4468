package dev.tidemark.activities.index.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.index.object.Edit.Action;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Conflicts;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergeTest {
  private static final Instant NOON = Instant.parse("2026-09-05T12:00:00Z");
  private static final ObjectState UNKNOWN = ObjectState.unknown(2);
  private static final int CRM = 0;
  private static final int SCORES = 1;

  // D14
  @Test
  void theRowOfTheLatestTransactionWins() {
    ObjectState state = UNKNOWN.with(CRM, row(1, "Ada")).with(CRM, row(2, "Ada L."));

    assertThat(seen(state)).hasValue(values("Ada L.", null, null));
  }

  // D14
  @Test
  void theRowOfAnEarlierTransactionThatComesLaterChangesNothing() {
    ObjectState state = UNKNOWN.with(CRM, row(2, "Ada L.")).with(CRM, row(1, "Ada"));

    assertThat(seen(state)).hasValue(values("Ada L.", null, null));
  }

  // D18, D21
  @Test
  void aTombstoneTakesTheObjectAwayAndIsKept() {
    ObjectState state = UNKNOWN.with(CRM, row(1, "Ada")).with(CRM, tombstone(2));

    assertThat(seen(state)).isEmpty();
    assertThat(state.rows().get(CRM)).matches(row -> row != null && row.isTombstone());
  }

  // D-g5: tombstone of an unknown key
  @Test
  void aTombstoneOfAnUnknownKeyIsNoObjectAndHoldsOlderRowsBack() {
    ObjectState state = UNKNOWN.with(CRM, ordered(2, 20, null)).with(CRM, ordered(3, 10, "Ada"));

    assertThat(seen(state)).isEmpty();
  }

  // D-g6: resurrection
  @Test
  void aNewerRowBringsADeletedObjectBack() {
    ObjectState state = UNKNOWN.with(CRM, ordered(1, 20, null)).with(CRM, ordered(2, 30, "Ada"));

    assertThat(seen(state)).hasValue(values("Ada", null, null));
  }

  // D-g4: equal ordering
  @Test
  void ofEqualOrderingTheLaterTransactionWinsWhicheverComesFirst() {
    SourceRow earlier = ordered(1, 20, "Ada");
    SourceRow later = ordered(2, 20, null);

    assertThat(UNKNOWN.with(CRM, earlier).with(CRM, later))
        .isEqualTo(UNKNOWN.with(CRM, later).with(CRM, earlier));
  }

  // D25
  @Test
  void aLargerOrderingInAnOlderTransactionIsNotIgnored() {
    ObjectState state = UNKNOWN.with(CRM, ordered(1, 30, "new")).with(CRM, ordered(2, 20, "old"));

    assertThat(seen(state)).hasValue(values("new", null, null));
  }

  @Test
  void anObjectIsThereWhileOneDatasourceHasIt() {
    ObjectState both =
        UNKNOWN.with(CRM, row(1, "Ada")).with(SCORES, new SourceRow(1, null, list(5L)));
    ObjectState one = both.with(CRM, tombstone(2));
    ObjectState none = one.with(SCORES, tombstone(2));

    assertThat(seen(both)).hasValue(values("Ada", null, 5L));
    assertThat(seen(one)).hasValue(values(null, null, 5L));
    assertThat(seen(none)).isEmpty();
  }

  // D16
  @Test
  void anEditWinsWhateverTheSourceSaysLater() {
    ObjectState state =
        UNKNOWN.with(CRM, row(1, "Ada")).with(set(1, "name", "Lovelace")).with(CRM, row(9, "A."));

    assertThat(seen(state)).hasValue(values("Lovelace", null, null));
  }

  // D16
  @Test
  void whereTheNewestWinsARowThatIsNewerThanTheEditWins() {
    ObjectState before = UNKNOWN.with(CRM, row(1, "Ada", NOON.minusSeconds(1)));
    ObjectState edited = before.with(set(1, "name", "Lovelace"));
    ObjectState after = edited.with(CRM, row(2, "A.", NOON.plusSeconds(1)));

    assertThat(name(newestWins(), edited)).isEqualTo("Lovelace");
    assertThat(name(newestWins(), after)).isEqualTo("A.");
  }

  // D-g7: edits on a deleted object
  @Test
  void editsOfAnObjectThatIsGoneAreSeenAgainWhenItComesBack() {
    ObjectState gone =
        UNKNOWN.with(CRM, row(1, "Ada")).with(set(1, "name", "Lovelace")).with(CRM, tombstone(2));

    assertThat(seen(gone)).isEmpty();
    assertThat(seen(gone.with(CRM, row(3, "Ada")))).hasValue(values("Lovelace", null, null));
  }

  @Test
  void whereEditedObjectsAreKeptTheDeletionOfTheRowDoesNotTakeThemAway() {
    ObjectState edited = UNKNOWN.with(CRM, row(1, "Ada")).with(set(1, "name", "Lovelace"));
    ObjectState untouched = UNKNOWN.with(CRM, row(1, "Ada"));
    Merge keeping = merge(new EditRules(new Conflicts.EditsWin(), true, List.of()));

    assertThat(keeping.visible("7", edited.with(CRM, tombstone(2)))).isPresent();
    assertThat(keeping.visible("7", untouched.with(CRM, tombstone(2)))).isEmpty();
  }

  @Test
  void peopleMakeAndDeleteObjectsThatNoSourceHas() {
    ObjectState made = UNKNOWN.with(edit(1, Action.CREATE, Map.of("name", "Grace")));

    assertThat(seen(made)).hasValue(values("Grace", null, null));
    assertThat(seen(made.with(edit(2, Action.DELETE, Map.of())))).isEmpty();
  }

  // the order in which rows and edits become known never matters
  @Test
  void whatIsKnownDoesNotDependOnTheOrderInWhichItComes() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      List<Object> known = new ArrayList<>();
      for (int i = 1; i <= 8; i++) {
        known.add(
            random.nextBoolean()
                ? ordered(i, random.nextInt(4), random.nextInt(3) == 0 ? null : "row" + i)
                : edit(
                    i,
                    List.of(Action.values()).get(random.nextInt(3)),
                    Map.of("name", "edit" + i)));
      }
      ObjectState one = all(known);
      Collections.shuffle(known, random);

      assertThat(all(known)).as("seed %d", seed).isEqualTo(one);
    }
  }

  private static ObjectState all(List<Object> known) {
    ObjectState state = UNKNOWN;
    for (Object fact : known) {
      state = fact instanceof SourceRow row ? state.with(CRM, row) : state.with((Edit) fact);
    }
    return state;
  }

  private static Optional<List<@Nullable Object>> seen(ObjectState state) {
    return merge(EditRules.DEFAULT).visible("7", state);
  }

  private static @Nullable Object name(Merge merge, ObjectState state) {
    return merge.visible("7", state).orElseThrow().get(1);
  }

  private static Merge newestWins() {
    return merge(new EditRules(new Conflicts.NewestWins("updated_at"), false, List.of()));
  }

  private static Merge merge(EditRules edits) {
    return new Merge(
        new ObjectType(
            "customer",
            List.of("id"),
            List.of(
                property("id", ColumnType.Kind.BIGINT),
                property("name", ColumnType.Kind.STRING),
                property("updated_at", ColumnType.Kind.TIMESTAMP),
                property("score", ColumnType.Kind.BIGINT)),
            List.of(
                source("crm", List.of("name", "updated_at")), source("scores", List.of("score"))),
            edits,
            Rhythm.DEFAULT,
            "objects"));
  }

  private static Property property(String name, ColumnType.Kind kind) {
    return new Property(name, ColumnType.of(kind), false);
  }

  private static Datasource source(String name, List<String> properties) {
    return new Datasource(
        name, new Datasource.FromFiles(name + ".ndjson"), new Datasource.Append(), properties);
  }

  private static SourceRow row(long transaction, String name) {
    return new SourceRow(transaction, null, list(name, null));
  }

  private static SourceRow row(long transaction, String name, Instant updatedAt) {
    return new SourceRow(transaction, null, list(name, updatedAt));
  }

  private static SourceRow ordered(long transaction, long ordering, @Nullable String name) {
    return new SourceRow(transaction, ordering, name == null ? null : list(name, null));
  }

  private static SourceRow tombstone(long transaction) {
    return new SourceRow(transaction, null, null);
  }

  private static Edit set(long offset, String property, Object value) {
    return edit(offset, Action.SET, Map.of(property, value));
  }

  private static Edit edit(long offset, Action action, Map<String, Object> values) {
    return new Edit(
        offset,
        "7",
        action,
        action == Action.DELETE ? Map.of() : new HashMap<>(values),
        NOON.plusMillis(offset));
  }

  private static List<@Nullable Object> list(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  private static List<@Nullable Object> values(
      @Nullable Object name, @Nullable Object updatedAt, @Nullable Object score) {
    return list(7L, name, updatedAt, score);
  }
}
