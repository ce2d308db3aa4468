package dev.tidemark.activities.index.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.build.IndexService;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.IndexActivities;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When an index is built, why, and by whom alone. */
class BuildsTest {
  private static LedgerTestDatabase database;

  private TypeScene scene;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void register() {
    scene = new TypeScene(database);
    scene.register("name string");
    scene.has("a", "1");
  }

  // D5, D12: first everything, then what is new, then nothing
  @Test
  void anIndexIsBuiltWhenADatasourceHasSomethingNew() {
    Build first = scene.build(false);
    BuildDecision nothing = scene.begin();
    scene.has("b", "1");
    BuildDecision second = scene.begin();

    assertThat(first.full()).isTrue();
    assertThat(first.generation()).isEqualTo(1);
    assertThat(nothing.kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(second.detail()).isEqualTo("source");
    Build build = Objects.requireNonNull(second.build());
    assertThat(build.full()).isFalse();
    assertThat(build.generation()).isEqualTo(2);
    assertThat(new Transactions(database.dataSource()).of(build, "d"))
        .singleElement()
        .satisfies(
            taken -> {
              assertThat(taken.identity()).isEqualTo("b");
            });
  }

  // D14: a transaction that is written anew is a later one of the same identity
  @Test
  void whatIsWrittenAnewIsTakenInAgainAndNamesWhatItReplaces() {
    scene.build(false);
    scene.has("a", "2");

    Build build = Objects.requireNonNull(scene.begin().build());

    assertThat(build.full()).isFalse();
    assertThat(new Transactions(database.dataSource()).of(build, "d"))
        .singleElement()
        .satisfies(
            taken -> {
              assertThat(taken.version()).isEqualTo("2");
              assertThat(taken.earlier()).hasSize(1).allMatch(number -> number < taken.number());
            });
  }

  // D26: rows that it gives again, unchanged, name the first number still
  @Test
  void whatIsWrittenAnewTwiceNamesAllThatItReplacesUntilEverythingIsRead() {
    scene.build(false);
    scene.has("a", "2");
    scene.build(false);
    scene.has("a", "3");
    Build build = Objects.requireNonNull(scene.begin().build());
    Transactions transactions = new Transactions(database.dataSource());
    long third = transactions.of(build, "d").get(0).number();

    assertThat(transactions.of(build, "d").get(0).earlier()).hasSize(2);
    scene.builds.settle(build, new Builds.Made("m", 1, 1));
    new ObjectTypes(database.dataSource()).askFull(scene.name, "ada");
    Build whole = Objects.requireNonNull(scene.begin().build());
    scene.builds.settle(whole, new Builds.Made("m", 1, 1));
    scene.has("a", "4");
    Build after = Objects.requireNonNull(scene.begin().build());
    assertThat(transactions.of(after, "d").get(0).earlier()).containsExactly(third);
  }

  // D26
  @Test
  void whatIsGoneFromADatasourceHasAllReadAnew() {
    scene.has("b", "1");
    scene.build(false);
    scene.hasNoMore("a");

    BuildDecision decision = scene.begin();

    assertThat(decision.detail()).isEqualTo("retention");
    Build build = Objects.requireNonNull(decision.build());
    assertThat(build.full()).isTrue();
    scene.builds.settle(build, new Builds.Made("m", 1, 1));
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
  }

  private TypeScene snapshot() {
    TypeScene snapshot = new TypeScene(database);
    snapshot.definitions.register(
        snapshot.type(
            new Datasource.Snapshot(), new Datasource.FromFiles("f"), List.of(), "name string"));
    snapshot.has("day-1", "1");
    snapshot.build(false);
    snapshot.hasNoMore("day-1");
    return snapshot;
  }

  // D26: what a snapshot said stays, in each kind of build, while there is none in its place
  @Test
  void aSnapshotThatIsGoneTakesNoObjectsWithItAndAFullBuildWaitsForAnother() {
    TypeScene snapshot = snapshot();
    assertThat(snapshot.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    snapshot.edit("1", "name", "Ada");
    snapshot.execute("update tidemark.object_edit set made_at = now() - interval '7 hours'");
    assertThat(snapshot.build(false).full()).as("of edits").isFalse();
    ObjectTypes types = new ObjectTypes(database.dataSource());

    types.askFull(snapshot.name, "ada");
    BuildDecision asked = snapshot.begin();
    BuildDecision after = snapshot.begin();
    snapshot.has("day-2", "1");
    BuildDecision another = snapshot.begin();

    assertThat(asked.kind()).isEqualTo(BuildDecision.Kind.WAITS_FOR_DATA);
    assertThat(asked.detail()).contains("'d' has nothing to read", "'day-1' is gone");
    assertThat(after.kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(snapshot.live().built().generation()).as("served on").isEqualTo(2);
    assertThat(another.kind()).isEqualTo(BuildDecision.Kind.BUILD);
    Build build = Objects.requireNonNull(another.build());
    assertThat(snapshot.builds.widen(build, snapshot.live(), "share")).isPresent();
  }

  private static IndexService service(Path folder) {
    return IndexService.of(
        database.dataSource(),
        Connections.NONE,
        folder,
        new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC()));
  }

  // D26, D29: a build that has begun as an incremental one fails, and waits for other data
  @Test
  void aBuildIsNotWidenedPastASnapshotThatIsGone(@TempDir Path folder) {
    TypeScene snapshot = snapshot();
    snapshot.edit("1", "name", "Ada");
    snapshot.execute("update tidemark.object_edit set made_at = now() - interval '7 hours'");
    Build build = Objects.requireNonNull(snapshot.begin().build());

    try (IndexService service = service(folder)) {
      assertThatThrownBy(() -> service.widen(build, "share"))
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              failure -> assertThat(failure.getType()).isEqualTo(IndexActivities.BAD_DATA))
          .hasMessageContaining("'day-1' is gone");
      service.fail(build, "of its data", true);
    }

    assertThat(snapshot.begin().kind()).isEqualTo(BuildDecision.Kind.WAITS_FOR_DATA);
  }

  // D26, c-L1: nor does an index that is to take its place, which says why
  @ParameterizedTest(name = "the live index has noticed: {0}")
  @ValueSource(booleans = {true, false})
  void aReplacementIsNotMadeWithoutASnapshotThatTheLiveIndexHasTakenIn(boolean hasNoticed) {
    TypeScene snapshot = snapshot();
    if (hasNoticed) {
      snapshot.begin();
    }
    snapshot.definitions.register(
        snapshot.type(
            new Datasource.Snapshot(), new Datasource.FromFiles("f"), List.of(), "name int"));

    BuildDecision first = snapshot.begin(true, false);
    BuildDecision then = snapshot.begin(true, false, new Look(Long.MAX_VALUE, null, Map.of()));

    assertThat(first.kind()).isEqualTo(BuildDecision.Kind.WAITS_FOR_DATA);
    assertThat(then.kind()).isEqualTo(BuildDecision.Kind.GONE);
    assertThat(then.detail())
        .startsWith("the replacement of revision 2 has ended")
        .contains("'day-1' is gone");
  }

  // D14: a row of a forgotten transaction must not be taken for one of another
  @Test
  void aNumberOfATransactionIsNeverGivenAgain() {
    scene.has("b", "1");
    Build first = Objects.requireNonNull(scene.begin().build());
    Transactions transactions = new Transactions(database.dataSource());
    long newest = transactions.of(first, "d").get(1).number();
    scene.builds.settle(first, new Builds.Made("m", 1, 1));
    scene.hasNoMore("b");
    scene.build(false);
    scene.has("c", "1");

    Build build = Objects.requireNonNull(scene.begin().build());

    assertThat(transactions.of(build, "d"))
        .singleElement()
        .satisfies(taken -> assertThat(taken.number()).isGreaterThan(newest));
  }

  // D5: a slow look ends after one that began later
  @Test
  void aLookThatBeganEarlierDoesNotUndoALaterOne() {
    Look slow = scene.look(false);
    scene.has("b", "1");
    scene.build(false);

    BuildDecision late = scene.begin(false, false, slow);

    assertThat(late.kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
  }

  @Test
  void whatWasFoundForAnotherIndexIsNotRemembered() {
    Look other = new Look(Long.MAX_VALUE, -1L, Map.of());

    assertThatThrownBy(() -> scene.begin(false, false, other))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is looked at again");
  }

  // D5: it is another version at each look
  @Test
  void aQueryWithoutAVersionIsReadAgainAfterAPauseOrWhenAPersonAsks() {
    TypeScene query = new TypeScene(database);
    query.definitions.register(
        query.type(
            new Datasource.Snapshot(),
            new Datasource.FromSql("shop", "select 1", null),
            List.of(),
            "name string"));
    query.has("all", "1");
    query.build(false);
    query.has("all", "2");

    BuildDecision atOnce = query.begin();
    query.execute("update tidemark.object_build set ended_at = ended_at - interval '31 seconds'");
    BuildDecision later = query.begin();
    query.builds.settle(Objects.requireNonNull(later.build()), new Builds.Made("m", 1, 1));
    query.has("all", "3");
    BuildDecision asked = query.begin(false, true);

    assertThat(atOnce.kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(later.kind()).isEqualTo(BuildDecision.Kind.BUILD);
    assertThat(asked.kind()).isEqualTo(BuildDecision.Kind.BUILD);
  }

  // D24
  @Test
  void aViewWithADeletionColumnIsAlwaysReadWhole() {
    TypeScene view = new TypeScene(database);
    view.definitions.register(
        view.type(
            new Datasource.Cdc("seq", "gone"),
            new Datasource.FromSql("shop", "select 1", "select 2"),
            List.of(),
            "name string"));
    view.has("all", "1");
    view.build(false);
    view.has("all", "2");

    BuildDecision decision = view.begin();

    assertThat(decision.detail()).isEqualTo("view");
    assertThat(Objects.requireNonNull(decision.build()).full()).isTrue();
  }

  // D6, D7: six hours after the oldest edit that no index has, and not before
  @Test
  void editsAreWrittenToTheIndexAfterSixHoursWithoutAnyNewData() {
    scene.build(false);
    scene.edit("1", "name", "Ada");
    BuildDecision early = scene.begin();
    scene.execute(
        "update tidemark.object_edit set made_at = made_at - interval '6 hours'"
            + " where object_type_id = :type");
    BuildDecision late = scene.begin();

    assertThat(early.kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(late.detail()).isEqualTo("edits");
    Build build = Objects.requireNonNull(late.build());
    assertThat(scene.builds.throughEdit(build)).isEqualTo(1);
    scene.builds.settle(build, new Builds.Made("m", 1, 1));
    assertThat(scene.live().built().editOffset()).isEqualTo(1);
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
  }

  // D29: and once only
  @Test
  void aPersonHasAllReadAnew() {
    scene.build(false);
    new ObjectTypes(database.dataSource()).askFull(scene.name, "ada");

    BuildDecision decision = scene.begin();

    assertThat(decision.detail()).isEqualTo("asked");
    Build build = Objects.requireNonNull(decision.build());
    assertThat(build.full()).isTrue();
    scene.builds.settle(build, new Builds.Made("m", 1, 1));
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
  }

  // D15, D29: with the data that made it impossible it is not tried for ever
  @Test
  void aReindexThatAPersonAskedForAndItsDataFailedIsNotTriedAgainByItself() {
    scene.build(false);
    new ObjectTypes(database.dataSource()).askFull(scene.name, "ada");
    Build asked = Objects.requireNonNull(scene.begin().build());
    scene.builds.fail(asked, "key 7 comes twice", true);

    BuildDecision after = scene.begin();
    new ObjectTypes(database.dataSource()).askFull(scene.name, "ada");
    BuildDecision again = scene.begin();

    assertThat(after.kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(again.detail()).isEqualTo("asked");
  }

  // D27: a build that turns out to change too much begins anew, once, however often that is asked
  @Test
  void aBuildIsWidenedOnce() {
    scene.build(false);
    scene.has("b", "1");
    Build narrow = Objects.requireNonNull(scene.begin().build());

    Build wide = scene.builds.widen(narrow, scene.live(), "share").orElseThrow();
    Build again = scene.builds.widen(narrow, scene.live(), "share").orElseThrow();

    assertThat(wide.full()).isTrue();
    assertThat(wide.token()).isGreaterThan(narrow.token());
    assertThat(again).isEqualTo(wide);
    assertThat(scene.builds.renew(narrow, Builds.LEASE)).isFalse();
    assertThat(new Transactions(database.dataSource()).of(wide, "d")).hasSize(2);
  }

  @Test
  void oneBuildRunsAtATimeAndADeadOneIsSuperseded() {
    Build first = Objects.requireNonNull(scene.begin().build());
    BuildDecision busy = scene.begin();
    scene.execute(
        "update tidemark.object_build set lease_until = clock_timestamp()"
            + " where token = "
            + first.token());
    Build second = Objects.requireNonNull(scene.begin().build());

    assertThat(busy.kind()).isEqualTo(BuildDecision.Kind.BUSY);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(scene.builds.renew(first, Builds.LEASE)).isFalse();
    assertThat(scene.builds.settle(first, new Builds.Made("zombie", 1, 1))).isFalse();
    assertThat(scene.builds.settle(second, new Builds.Made("m", 1, 1))).isTrue();
    assertThat(scene.builds.settle(second, new Builds.Made("m", 1, 1))).as("again").isTrue();
    assertThat(scene.live().built().manifest()).isEqualTo("m");
  }

  @Test
  void aDeadBuildIsSupersededAlsoWhereNothingIsToBeBuilt() {
    Build dead = Objects.requireNonNull(scene.begin().build());
    scene.builds.fail(dead, "key 7 comes twice", true);
    Build other = Objects.requireNonNull(scene.begin(false, true).build());
    scene.execute("update tidemark.object_build set lease_until = clock_timestamp()");

    BuildDecision decision = scene.begin();

    assertThat(decision.kind()).isEqualTo(BuildDecision.Kind.WAITS_FOR_DATA);
    assertThat(scene.builds.renew(other, Builds.LEASE)).isFalse();
    assertThat(scene.builds.settle(other, new Builds.Made("zombie", 1, 1))).isFalse();
  }

  // A46: the worker died between the settle and its answer
  @Test
  void aBuildThatIsCompleteIsNotSupersededWhenItsLastStageRunsAgain(@TempDir Path folder) {
    Build build = Objects.requireNonNull(scene.begin().build());
    Jobs jobs = new Jobs(database.dataSource());
    jobs.begin(build, Jobs.Stage.INDEX, "");
    scene.builds.settle(build, new Builds.Made("m", 1, 1));

    try (IndexService service = service(folder)) {
      service.index(build);
    }

    assertThat(jobs.newest(scene.name, 1))
        .singleElement()
        .extracting(Jobs.Job::state)
        .isEqualTo("completed");
  }

  // D15, facts "Retries": bad data waits for other data, or for a person
  @Test
  void whatFailedForItsDataIsTriedAgainWithOtherDataOrWhenAPersonAsks() {
    Build bad = Objects.requireNonNull(scene.begin().build());
    scene.builds.fail(bad, "key 7 comes twice", true);

    BuildDecision same = scene.begin();
    BuildDecision asked = scene.begin(false, true);
    scene.builds.fail(Objects.requireNonNull(asked.build()), "key 7 comes twice", true);
    scene.has("a", "2");
    BuildDecision other = scene.begin();

    assertThat(same.kind()).isEqualTo(BuildDecision.Kind.WAITS_FOR_DATA);
    assertThat(same.detail()).isEqualTo("key 7 comes twice");
    assertThat(other.kind()).isEqualTo(BuildDecision.Kind.BUILD);
    scene.builds.fail(Objects.requireNonNull(other.build()), "the network is down", false);
    assertThat(scene.begin().kind())
        .as("a fault that may pass")
        .isEqualTo(BuildDecision.Kind.BUILD);
  }

  // Everything of the last hour, then the newest two, and nothing of what nobody can switch to
  @Test
  void theNewestTwoGenerationsAreKeptAndThoseOfTheLastHour() {
    List<Build> built = new ArrayList<>();
    for (int version = 1; version <= 4; version++) {
      scene.has("a", Integer.toString(version));
      built.add(scene.build(false));
    }
    KeptGenerations generations = new KeptGenerations(database.dataSource());
    int type = scene.live().typeId();
    assertThat(generations.of(type))
        .singleElement()
        .extracting(kept -> kept.tokens().size())
        .isEqualTo(4);

    scene.execute(
        "update tidemark.object_build set ended_at = ended_at - interval '2 hours'"
            + " where object_index_id = "
            + scene.live().id());
    assertThat(generations.of(type))
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.tokens())
                  .containsExactlyInAnyOrder(built.get(2).token(), built.get(3).token());
              assertThat(kept.before()).isEqualTo(built.get(3).token());
            });
  }

  // What never became live has files too, at the place that its own definition names
  @Test
  void anIndexWhoseFirstBuildFailedIsSweptWhereItsOwnDefinitionSays() {
    scene.build(false);
    scene.execute(
        "insert into tidemark.object_index"
            + " (object_type_id, revision, role, definition, migrations, cause, ended_at)"
            + " select object_type_id, revision + 1, 'failed',"
            + " jsonb_set(definition, '{location}', '\"elsewhere\"'), migrations, cause,"
            + " clock_timestamp() from tidemark.object_index where object_index_id = "
            + scene.live().id());

    assertThat(new KeptGenerations(database.dataSource()).of(scene.live().typeId()))
        .extracting(KeptGenerations.Kept::location, kept -> kept.tokens().size())
        .containsExactly(tuple("objects", 1), tuple("elsewhere", 0));
  }
}
