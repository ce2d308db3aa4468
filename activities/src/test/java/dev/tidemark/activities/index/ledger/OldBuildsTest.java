package dev.tidemark.activities.index.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.BuildDecision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the ledger forgets of builds, and what it must not. */
class OldBuildsTest {
  private LedgerTestDatabase database;
  private TypeScene scene;

  @BeforeEach
  void open() {
    database = LedgerTestDatabase.create();
    scene = new TypeScene(database);
    scene.register("name string");
    for (int i = 1; i <= 4; i++) {
      scene.has("file-" + i, "1");
      new Jobs(database.dataSource()).begin(scene.build(false), Jobs.Stage.MERGE, "");
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void ago(String interval) {
    scene.execute(
        "update tidemark.object_build set ended_at = now() - interval '%s'".formatted(interval));
  }

  private void forget() {
    new OldBuilds(database.dataSource()).forget(scene.live().typeId());
  }

  private List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet all = statement.executeQuery(sql)) {
      while (all.next()) {
        rows.add(all.getString(1));
      }
    }
    return rows;
  }

  private List<String> builds() throws SQLException {
    return rows("select generation || ' ' || state from tidemark.object_build order by build_id");
  }

  // D30
  @Test
  void buildsAreForgottenAfterThirtyDaysButForThoseWhoseFilesAreKept() throws SQLException {
    ago("29 days");
    forget();
    assertThat(builds()).hasSize(4);

    ago("31 days");
    forget();

    assertThat(builds()).containsExactly("3 completed", "4 completed");
    assertThat(rows("select stage from tidemark.object_job")).hasSize(2);
    assertThat(new KeptGenerations(database.dataSource()).of(scene.live().typeId()))
        .singleElement()
        .satisfies(kept -> assertThat(kept.tokens()).hasSize(2));
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.UP_TO_DATE);
  }

  // D29: or it would be tried again for ever
  @Test
  void whatWasBadOfTheDataIsNotForgottenWhileTheDataIsTheSame() throws SQLException {
    scene.has("file-5", "bad");
    Build bad = Objects.requireNonNull(scene.begin().build());
    scene.builds.fail(bad, "key 7 comes twice", true);
    ago("60 days");

    forget();

    assertThat(builds()).containsExactly("3 completed", "4 completed", "5 failed");
    assertThat(scene.begin().kind()).isEqualTo(BuildDecision.Kind.WAITS_FOR_DATA);
  }

  // D30: a build each second is bounded too
  @Test
  void noMoreThanTheNewestThousandOfAnIndexAreKept() throws SQLException {
    scene.execute(
        """
        insert into tidemark.object_build
               (object_index_id, generation, token, cause, full_build, state, through_edit, input,
                lease_until)
        select object_index_id, 5, -n, 'source', false, 'superseded', 0, '', now()
          from tidemark.object_index, generate_series(1, 1500) as n
         where object_type_id = :type
        """);
    ago("2 hours");

    forget();

    assertThat(builds()).hasSize(1_002).contains("3 completed", "4 completed");
  }

  @Test
  void whatAnIndexHadTakenInThatNobodyCanSwitchToIsForgotten() throws SQLException {
    scene.definitions.register(scene.type(List.of(), "name string", "age int"));
    scene.build(true);
    scene.tryToSwitch();
    scene.definitions.register(scene.type(List.of(), "name string", "size int"));
    scene.builds.fail(Objects.requireNonNull(scene.begin(true, false).build()), "bad", true);

    forget();

    assertThat(
            rows(
                "select distinct revision from tidemark.object_transaction"
                    + " join tidemark.object_index using (object_index_id) order by 1"))
        .as("the live one, and the one before it")
        .containsExactly("1", "2");
  }
}
