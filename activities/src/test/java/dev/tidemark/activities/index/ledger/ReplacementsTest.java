package dev.tidemark.activities.index.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.index.SwitchOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replacements: what needs one, when it takes over, and the way back. */
class ReplacementsTest {
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
    scene.register("name string", "mail string");
    scene.has("a", "1");
    scene.build(false);
  }

  private ObjectDefinitions.Change apply(List<EditMigration> migrations, String... properties) {
    return scene.definitions.register(scene.type(migrations, properties));
  }

  private ObjectHealth.Standing standing() {
    return new ObjectHealth(database.dataSource())
        .all().stream()
            .filter(one -> one.type().equals(scene.name))
            .map(ObjectHealth.Of::standing)
            .findFirst()
            .orElseThrow();
  }

  // D8
  @Test
  void aChangedRhythmIsTakenOverInPlaceAndAChangedSchemaNeedsAnotherIndex() {
    ObjectType type = scene.live().type();
    ObjectType faster =
        new ObjectType(
            type.name(),
            type.primaryKey(),
            type.properties(),
            type.datasources(),
            type.edits(),
            new Rhythm(Duration.ofSeconds(5), Duration.ofHours(1), 0.5, null),
            type.location());

    assertThat(scene.definitions.register(type).kind())
        .isEqualTo(ObjectDefinitions.Change.Kind.UNCHANGED);
    assertThat(scene.definitions.register(faster).kind())
        .isEqualTo(ObjectDefinitions.Change.Kind.IN_PLACE);
    assertThat(scene.live().type().rhythm().every()).isEqualTo(Duration.ofSeconds(5));
    ObjectDefinitions.Change added = apply(List.of(), "name string", "mail string", "age int");
    assertThat(added.kind()).isEqualTo(ObjectDefinitions.Change.Kind.REPLACEMENT);
    assertThat(added.differences()).anyMatch(line -> line.startsWith("properties"));
    assertThat(scene.replacement().revision()).isEqualTo(2);
    assertThat(scene.live().revision()).as("goes on").isEqualTo(1);
  }

  // D9, D10, c-L1, c-L3: complete, caught up, and open in every process that is seen
  @Test
  void aReplacementTakesOverOnlyWhenItHasEverythingAndIsOpenEverywhere() {
    apply(List.of(), "name string", "mail string", "age int");
    scene.processes.report("one", scene.live(), 1, 0, null);
    SwitchOutcome unbuilt = scene.tryToSwitch();
    Build build = scene.build(true);
    scene.has("b", "1");
    scene.build(false);

    SwitchOutcome behind = scene.tryToSwitch();
    Build caughtUp = scene.build(true);
    SwitchOutcome unopened = scene.tryToSwitch();
    scene.processes.report("one", scene.replacement(), build.generation(), 0, null);
    SwitchOutcome older = scene.tryToSwitch();
    scene.processes.report("one", scene.replacement(), caughtUp.generation(), 0, null);
    SwitchOutcome switched = scene.tryToSwitch();

    assertThat(unbuilt.detail()).contains("first build");
    assertThat(behind.detail()).contains("the live index has more", "d b");
    assertThat(unopened.detail()).contains("not open yet in one");
    assertThat(older.switched()).isFalse();
    assertThat(switched.switched()).isTrue();
    assertThat(scene.indexes.served(scene.name).orElseThrow().revision()).isEqualTo(2);
    assertThat(scene.live().revision()).isEqualTo(2);
  }

  // D10, D30: swapped only where row counts agree; and who looks is told why it was not
  @Test
  void aReplacementThatHasLostAnObjectEndsAndTheLiveIndexGoesOn() {
    apply(List.of(), "name string", "mail string", "age int");
    scene.build(true, 0);

    SwitchOutcome lost = scene.tryToSwitch();

    assertThat(lost.switched()).isFalse();
    assertThat(lost.detail()).contains("has 0 objects", "the live index 1");
    BuildDecision next = scene.begin(true, false);
    assertThat(next.kind()).isEqualTo(BuildDecision.Kind.GONE);
    assertThat(next.detail()).as("said by the workflow").endsWith(lost.detail());
    assertThat(standing().upcoming())
        .extracting(ObjectHealth.Index::because)
        .isEqualTo(lost.detail());
    assertThat(standing().hiding("hidden").upcoming())
        .extracting(ObjectHealth.Index::because)
        .isEqualTo("hidden");
    assertThat(scene.indexes.in(scene.name, ObjectIndex.Role.REPLACEMENT)).isEmpty();
    assertThat(scene.indexes.served(scene.name).orElseThrow().revision()).isEqualTo(1);
  }

  // D10: what only the replacement has taken in yet may well be more
  @Test
  void aReplacementThatIsAheadMayHaveMoreObjects() {
    apply(List.of(), "name string", "mail string", "age int");
    scene.has("b", "1");
    scene.build(true, 2);

    assertThat(scene.tryToSwitch().switched()).isTrue();
  }

  @Test
  void theLiveIndexIsFoundHoweverManyReplacementsHaveFailedSince() {
    scene.execute(
        "insert into tidemark.object_index"
            + " (object_type_id, revision, role, definition, cause, ended_at)"
            + " select object_type_id, revision + n, 'failed', definition, cause, clock_timestamp()"
            + " from tidemark.object_index, generate_series(1, 60) as n where object_index_id = "
            + scene.live().id());

    assertThat(scene.live().revision()).isEqualTo(1);
  }

  // D8: decided before it starts
  @Test
  void anEditedPropertyCannotGoWithoutADecision() {
    scene.edit("1", "mail", "a@b");

    assertThatThrownBy(() -> apply(List.of(), "name string", "email string"))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("people have edited 'mail', which is gone")
        .hasMessageContaining("{drop: mail}");
    assertThatThrownBy(() -> apply(List.of(), "name string", "mail int"))
        .hasMessageContaining("was string and is to be int");
    assertThatThrownBy(
            () ->
                apply(
                    List.of(new EditMigration.Move("fax", "email"), new EditMigration.Drop("mail")),
                    "name string",
                    "email string"))
        .hasMessageContaining("'fax', which the definition before does not have");
    assertThat(scene.indexes.in(scene.name, ObjectIndex.Role.REPLACEMENT)).isEmpty();
    assertThat(apply(List.of(), "mail string").kind())
        .as("name was never edited")
        .isEqualTo(ObjectDefinitions.Change.Kind.REPLACEMENT);
  }

  // D8: made while the replacement was built, of what nobody had edited when it was applied
  @Test
  void anEditOfAPropertyThatIsToGoEndsTheReplacementAndIsKept() {
    apply(List.of(), "name string");
    scene.build(true);
    scene.edit("1", "mail", "a@b");

    SwitchOutcome refused = scene.tryToSwitch();

    assertThat(refused.switched()).isFalse();
    assertThat(refused.detail()).contains("people have edited 'mail', which is gone");
    assertThat(scene.live().revision()).isEqualTo(1);
    assertThat(scene.seen(scene.live())).containsExactly("1 1 {mail=a@b}");
    assertThatThrownBy(() -> scene.replacements.again(scene.name))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("{drop: mail}");
    assertThat(apply(List.of(new EditMigration.Drop("mail")), "name string").kind())
        .isEqualTo(ObjectDefinitions.Change.Kind.REPLACEMENT);
  }

  // A46: the worker died after the switch, and its answer was lost
  @Test
  void aSwitchThatIsAskedForAgainHasSwitched() {
    apply(List.of(), "name string", "mail string", "age int");
    scene.build(true);
    scene.tryToSwitch();

    assertThat(scene.replacements.tryToSwitch(scene.name, 2).switched()).isTrue();
    assertThatThrownBy(() -> scene.replacements.tryToSwitch(scene.name, 3))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("no replacement of revision 3");
  }

  // D10: each of both reads it at moments of its own
  @Test
  void aQueryWithoutAVersionDoesNotKeepAReplacementFromTakingOver() {
    TypeScene query = new TypeScene(database);
    Datasource.Origin origin = new Datasource.FromSql("shop", "select 1", null);
    Datasource.Kind kind = new Datasource.Snapshot();
    query.definitions.register(query.type(kind, origin, List.of(), "name string"));
    query.has("all", "1");
    query.build(false);
    query.definitions.register(query.type(kind, origin, List.of(), "name string", "age int"));
    query.build(true);
    query.execute(
        "update tidemark.object_transaction set version = '2', committed_at = now()"
            + " where object_index_id = "
            + query.live().id());

    assertThat(query.tryToSwitch().switched()).isTrue();
  }

  // D-g2: edits made while it is built are migrated too, those made after it are not
  @Test
  void editsMoveWithTheirPropertyAndThoseOfADroppedOneAreForgotten() {
    scene.edit("1", "mail", "before");
    scene.edit("1", "name", "Ada");
    apply(
        List.of(new EditMigration.Move("mail", "email"), new EditMigration.Drop("name")),
        "name int",
        "email string");
    scene.build(true);
    scene.edit("2", "mail", "meanwhile");
    assertThat(scene.tryToSwitch().switched()).isTrue();
    scene.edit("3", "name", "7");

    assertThat(scene.seen(scene.live()))
        .containsExactly("1 1 {email=before}", "3 2 {email=meanwhile}", "4 3 {name=7}");
  }

  private void editBoth() {
    scene.execute(
        """
        insert into tidemark.object_edit
               (object_type_id, edit_offset, request_id, key, action, values, made_by)
        values (:type, 1, 'both', '1', 'set', '{"name": "n", "mail": "m"}', 'test');
        update tidemark.object_type set edit_offset = 1 where object_type_id = :type;
        """);
  }

  // D-g2
  @Test
  void propertiesThatTakeEachOthersPlaceKeepTheValuesOfBoth() {
    editBoth();
    apply(
        List.of(new EditMigration.Move("name", "mail"), new EditMigration.Move("mail", "name")),
        "name string",
        "mail string");
    scene.build(true);

    assertThat(scene.tryToSwitch().switched()).isTrue();
    assertThat(scene.seen(scene.live())).containsExactly("1 1 {name=m, mail=n}");
  }

  // D-g2
  @Test
  void aPropertyThatTakesThePlaceOfOneThatMovesOnDoesNotMoveOnWithIt() {
    editBoth();
    apply(
        List.of(new EditMigration.Move("name", "mail"), new EditMigration.Move("mail", "post")),
        "mail string",
        "post string");
    scene.build(true);

    assertThat(scene.tryToSwitch().switched()).isTrue();
    assertThat(scene.seen(scene.live())).containsExactly("1 1 {mail=n, post=m}");
  }

  @Test
  void allEditsAreForgottenWhereThatIsSaid() {
    scene.edit("1", "mail", "a@b");
    apply(List.of(new EditMigration.DropAll()), "name string", "mail string");
    scene.build(true);
    scene.tryToSwitch();
    scene.edit("2", "mail", "after");

    assertThat(scene.seen(scene.live())).containsExactly("2 2 {mail=after}");
    assertThat(apply(List.of(new EditMigration.DropAll()), "name string", "mail string").kind())
        .as("it is done")
        .isEqualTo(ObjectDefinitions.Change.Kind.UNCHANGED);
  }

  // D-g3: a replacement that fails leaves Live as it is, and can be tried again
  @Test
  void aFailedReplacementLeavesTheLiveIndexUntouched() {
    apply(List.of(), "name string", "mail string", "age int");
    Build build = Objects.requireNonNull(scene.begin(true, false).build());
    scene.builds.fail(build, "age is no int", true);

    assertThat(scene.begin(true, false).kind()).isEqualTo(BuildDecision.Kind.GONE);
    assertThat(scene.indexes.served(scene.name).orElseThrow().revision()).isEqualTo(1);
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
    assertThat(scene.replacements.again(scene.name)).isEqualTo(3);
    assertThat(scene.replacement().type().properties()).hasSize(4);
    assertThat(scene.replacements.again(scene.name)).as("it is being built").isEqualTo(3);
  }

  // Issue 8: instant rollback, and forward again
  @Test
  void aRollbackIsOneSwitchBackAndTheOldIndexCatchesUp() {
    apply(List.of(new EditMigration.Move("mail", "email")), "name string", "email string");
    scene.build(true);
    scene.tryToSwitch();
    scene.edit("1", "email", "new");
    scene.edit("1", "name", "Ada");
    scene.has("b", "1");

    ObjectIndex served = scene.replacements.rollBack(scene.name);

    assertThat(served.revision()).isEqualTo(1);
    assertThat(scene.indexes.served(scene.name).orElseThrow().revision()).isEqualTo(1);
    assertThat(scene.seen(scene.live()))
        .as("what it has no property for is kept, and not seen")
        .contains("2 1 {name=Ada}");
    assertThat(scene.build(false).generation()).isEqualTo(2);
    assertThat(scene.replacements.rollBack(scene.name).revision()).isEqualTo(2);
    assertThat(scene.seen(scene.live())).contains("1 1 {email=new}");
  }

  @Test
  void whatWasNeverSwitchedCannotBeRolledBack() {
    assertThatThrownBy(() -> scene.replacements.rollBack(scene.name))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("no index to go back to");
  }

  @Test
  void aDefinitionThatIsTakenBackEndsItsReplacement() {
    apply(List.of(), "name string", "mail string", "age int");

    ObjectDefinitions.Change back = apply(List.of(), "name string", "mail string");

    assertThat(back.kind()).isEqualTo(ObjectDefinitions.Change.Kind.IN_PLACE);
    assertThat(scene.indexes.in(scene.name, ObjectIndex.Role.REPLACEMENT)).isEmpty();
    assertThat(scene.indexes.all(scene.name).get(0).role()).isEqualTo(ObjectIndex.Role.FAILED);
  }

  @Test
  void whatAnIndexWithAnotherKindOfKeySeesOfEditsOfOtherKeysIsNothing() {
    scene.edit("one", "name", "of no number");
    scene.edit("042", "name", "of a number that is written otherwise");
    scene.edit("x".repeat(40_000), "name", "too long");
    scene.edit("42", "name", "Ada");

    assertThat(scene.seen(scene.live())).containsExactly("4 42 {name=Ada}");
  }

  // an edit that is durable is answered as made, also by who looked at the type before a switch
  @Test
  void anEditAfterASwitchThatForgetsAllEditsIsThere() {
    apply(List.of(new EditMigration.DropAll()), "name string", "mail string");
    scene.build(true);
    ObjectIndex before = scene.replacement();
    scene.tryToSwitch();
    NewEdit edit =
        new NewEdit(
            "request",
            "1",
            Edit.Action.SET,
            JsonNodeFactory.instance.objectNode().put("mail", "a@b"),
            "test");

    assertThat(scene.edits.append(before, edit, 0).orElseThrow().values())
        .containsEntry("mail", "a@b");
    assertThat(scene.edits.find(before, "request")).isPresent();
    assertThat(scene.edits.append(before, edit, 0)).isPresent();
  }

  // D30: the page and the metrics find them there
  @Test
  void whatIsServedIsShownHoweverManyReplacementsHaveFailedSince() {
    ObjectIndex previous = scene.live();
    apply(List.of(), "name string", "mail string", "age int");
    scene.build(true);
    scene.tryToSwitch();
    scene.execute(
        """
        insert into tidemark.object_index (object_type_id, revision, definition, role, cause)
        select object_type_id, failed, definition, 'failed', 'asked'
          from tidemark.object_index cross join generate_series(3, 60) as failed
         where object_index_id = %d
        """
            .formatted(previous.id()));

    assertThat(scene.indexes.all(scene.name))
        .hasSize(52)
        .extracting(ObjectIndex::id)
        .endsWith(scene.live().id(), previous.id());
  }

  // D30: a process that was killed withdraws nothing
  @Test
  void ofAProcessThatIsDeadForADayNothingIsKept() {
    scene.processes.report("dead", scene.live(), 1, 0, null);
    scene.processes.report("ended", scene.live(), 1, 0, null);
    scene.execute(
        """
        update tidemark.object_serving
           set seen_until = clock_timestamp() - case process
                 when 'dead' then interval '25 hours' else interval '1 hour' end
         where object_type_id = :type
        """);
    scene.processes.forgetDead(scene.live().typeId());
    scene.execute(
        "update tidemark.object_serving set seen_until = clock_timestamp() + interval '1 hour'"
            + " where object_type_id = :type");

    assertThat(scene.processes.of(scene.live()))
        .extracting(ServingProcesses.Serving::process)
        .containsExactly("ended");
  }
}
