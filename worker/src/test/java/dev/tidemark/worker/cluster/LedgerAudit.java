package dev.tidemark.worker.cluster;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** What the tables say of one pipeline. */
final class LedgerAudit {
  private final Database database;
  private final String pipeline;

  LedgerAudit(DataSource ledger, String pipeline) {
    this.database = new Database(ledger);
    this.pipeline = pipeline;
  }

  private static final Sql COMMITTED =
      Sql.of(
          """
          select count(*) as count
            from tidemark.partition_ledger l
            join tidemark.pipeline p using (pipeline_id)
           where p.name = :pipeline and l.committed_token is not null
          """);

  /** Partitions that were committed at least once. */
  int committed() {
    return count(COMMITTED);
  }

  private static final Sql LEFT =
      Sql.of(
          """
          select (select count(*)
                    from tidemark.partition_ledger l
                   where l.pipeline_id = p.pipeline_id
                     and (l.committed_token is null or l.asked or l.claim_id is not null))
               + (select count(*)
                    from tidemark.backfill b
                   where b.pipeline_id = p.pipeline_id and b.state <> 'completed') as count
            from tidemark.pipeline p
           where p.name = :pipeline
          """);

  /** Partitions and backfills that are not done. */
  int left() {
    return count(LEFT);
  }

  private static final Sql NOT_AS_ASKED =
      Sql.of(
          """
          select l.partition || ' asked ' || asked.times || ', done_gen ' || l.done_gen
                 || ', commits ' || made.commits as text
            from tidemark.partition_ledger l
            join tidemark.pipeline p using (pipeline_id)
           cross join lateral (
                 select greatest(1, max(i.wanted_gen)) as times
                   from tidemark.backfill_item i
                  where i.row_id = l.id) asked
           cross join lateral (
                 select count(*) as commits
                   from tidemark.attempt a
                  where a.row_id = l.id and a.outcome = 'committed') made
           where p.name = :pipeline
             and not (l.done_gen = asked.times and made.commits = asked.times)
           order by l.window_start
          """);

  /** Partitions that were not committed exactly as often as they are expected and asked for. */
  List<String> notAsAsked() {
    return texts(NOT_AS_ASKED);
  }

  // A begin ends the attempt that it supersedes in the same statement; only clock_timestamp()
  // moves in between. Such an attempt was of a process that is dead.
  private static final Sql OVERLAPPING =
      Sql.of(
          """
          select l.partition || ': attempt ' || earlier.token || ' of claim ' || earlier.claim_id
                 || ' and ' || later.token || ' of ' || later.claim_id as text
            from tidemark.partition_ledger l
            join tidemark.pipeline p using (pipeline_id)
            join tidemark.attempt earlier on earlier.row_id = l.id
            join tidemark.attempt later on later.row_id = l.id and later.token > earlier.token
           where p.name = :pipeline
             and (earlier.began_at >= later.began_at
               or earlier.ended_at is null
               or earlier.ended_at < earlier.began_at
               or (earlier.ended_at > later.began_at and earlier.outcome <> 'superseded')
               or (earlier.claim_id = later.claim_id and earlier.attempt >= later.attempt))
           order by l.window_start, earlier.token
          """);

  /** Attempts of one partition that held it at the same time, or whose tokens do not grow. */
  List<String> overlapping() {
    return texts(OVERLAPPING);
  }

  private static final Sql TROUBLED =
      Sql.of(
          """
          select l.partition || ' ' || l.state || ': ' || coalesce(l.last_error, '') as text
            from tidemark.partition_ledger l
            join tidemark.pipeline p using (pipeline_id)
           where p.name = :pipeline
             and (l.failures > 0 or l.failed_claims > 0 or l.parked_at is not null
               or l.last_error is not null)
           order by l.window_start
          """);

  /** Partitions on which a failure was spent. */
  List<String> troubled() {
    return texts(TROUBLED);
  }

  private static final Sql OUTCOMES =
      Sql.of(
          """
          select coalesce(a.outcome, 'running') as outcome, count(*) as count
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
            join tidemark.pipeline p using (pipeline_id)
           where p.name = :pipeline and a.claimed_by like :worker || '%'
           group by 1
          """);

  /** How many attempts ended how. */
  Map<String, Integer> outcomes() {
    return outcomesOf("");
  }

  /** The same, of one worker. */
  Map<String, Integer> outcomesOf(String worker) {
    return database.roundTrip(
        connection -> {
          Map<String, Integer> outcomes = new TreeMap<>();
          OUTCOMES
              .on(connection)
              .set("pipeline", pipeline)
              .set("worker", worker)
              .results(row -> outcomes.put(row.text("outcome"), row.integer("count")));
          return outcomes;
        });
  }

  /** Waits for what others write into the tables. */
  void await(String what, Duration atMost, BooleanSupplier condition) throws InterruptedException {
    long giveUp = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - giveUp > 0) {
        throw new AssertionError(
            "still not so after %d s: %s; committed %d, left %d, attempts %s"
                .formatted(atMost.toSeconds(), what, committed(), left(), outcomes()));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private int count(Sql sql) {
    return database.roundTrip(
        connection ->
            sql.on(connection).set("pipeline", pipeline).list(row -> row.integer("count")).get(0));
  }

  private List<String> texts(Sql sql) {
    return database.roundTrip(
        connection -> sql.on(connection).set("pipeline", pipeline).list(row -> row.text("text")));
  }
}
