package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SqlTaskTest {
  private static final TaskSpec.Replace DAY = new TaskSpec.Replace("daily", "day = :partition");

  @TempDir Path folder;
  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final DataSource shop = database.dataSource();
  private TaskRun run;

  @AfterEach
  void close() {
    database.close();
  }

  @BeforeEach
  void makeShop() {
    run = TaskRuns.in(folder);
    database.execute(
        """
        create table sale (at timestamptz, amount integer);
        insert into sale values ('2026-09-04 20:59Z', 1), ('2026-09-04 21:00Z', 20),
          ('2026-09-05 20:59Z', 300), ('2026-09-05 21:00Z', 4000);
        create table daily (day date, unit text, total integer);
        insert into daily values ('2026-09-04', 'x', 7), ('2026-09-05', 'x', 8)
        """);
  }

  private @Nullable Long execute(String sql, TaskSpec.@Nullable Replace replace)
      throws AttemptFailedException {
    return execute(shop, sql, replace);
  }

  private @Nullable Long execute(
      DataSource database, String sql, TaskSpec.@Nullable Replace replace)
      throws AttemptFailedException {
    Tasks tasks = new Tasks(folder, new Connections(Map.of("shop", database)), Map.of());
    return TaskExecution.run(
            tasks, new TaskSpec.Sql(sql, "shop", replace, Duration.ofMinutes(10)), run)
        .rows();
  }

  private List<String> daily() throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = shop.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("select day, unit, total from daily order by day, unit")) {
      while (found.next()) {
        rows.add(found.getString(1) + " " + found.getString(2) + " " + found.getInt(3));
      }
    }
    return rows;
  }

  // A51, A53: rerunnable, keyed by the partition.
  @Test
  void replacesThePartitionAndNothingElseHoweverOftenItRuns() throws Exception {
    String sql =
        """
        insert into daily select :partition::date, :slice_unit, sum(amount) from sale
         where at >= :start and at < :end
        """;

    assertThat(execute(sql, DAY)).isEqualTo(1);
    assertThat(execute(sql, DAY)).isEqualTo(1);

    assertThat(daily()).containsExactly("2026-09-04 x 7", "2026-09-05 kadıköy/1 320");
  }

  // c-D1: the delete alone is never seen.
  @Test
  void leavesWhatWasThereIfItFails() throws Exception {
    AttemptFailedException failure =
        catchThrowableOfType(
            AttemptFailedException.class,
            () -> execute("insert into daily select 1 / 0 from no_such_table", DAY));

    assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
    assertThat(failure.error()).contains("no_such_table");
    assertThat(daily()).containsExactly("2026-09-04 x 7", "2026-09-05 x 8");
  }

  @Test
  void runsSeveralStatementsInOneTransactionAndCountsTheirRows() throws Exception {
    assertThat(
            execute(
                "update daily set total = 0; insert into daily values (:partition, :param_dry_run, 1)",
                null))
        .isEqualTo(3);
    assertThat(daily()).contains("2026-09-05 yes 1", "2026-09-04 x 0");

    assertThatThrownBy(() -> execute("delete from daily; select 1 / 0", null))
        .hasMessageContaining("division by zero");
    assertThat(daily()).hasSize(3);
  }

  @Test
  void cancelsTheStatementWhenTheRunIsEnded() throws Exception {
    CompletableFuture<AttemptFailedException> failed =
        CompletableFuture.supplyAsync(
            () ->
                catchThrowableOfType(
                    AttemptFailedException.class, () -> execute("select pg_sleep(300)", null)));
    while (!isSleeping()) {
      Thread.onSpinWait();
    }

    run.end(TaskRun.End.CANCELLED);

    assertThat(failed.get().kind()).isEqualTo(FailureKind.RELEASED);
  }

  private boolean isSleeping() throws SQLException {
    try (Connection connection = shop.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "select 1 from pg_stat_activity where wait_event = 'PgSleep'"
                    + " and datname = current_database()")) {
      return found.next();
    }
  }

  // c-B21: an outage does not spend attempts.
  @Test
  void waitsForADatabaseThatCannotBeReached() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/nowhere");

    AttemptFailedException failure =
        catchThrowableOfType(
            AttemptFailedException.class, () -> execute(nowhere, "select 1", null));

    assertThat(failure.kind()).isEqualTo(FailureKind.NOT_READY);
    assertThat(failure.error()).contains("connection 'shop' cannot be reached");
  }

  @Test
  void namesAnUnknownParameterAndThoseThereAre() {
    AttemptFailedException failure =
        catchThrowableOfType(AttemptFailedException.class, () -> execute("select :day", null));

    assertThat(failure.error())
        .contains(":day", "[end, param_dry_run, partition, slice_unit, start, token]");
  }
}
