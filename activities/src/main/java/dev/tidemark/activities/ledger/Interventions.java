package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.breaker.Breakers;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.Predecessors;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people do to single partitions. Each is idempotent. */
public final class Interventions {
  private static final Logger log = LoggerFactory.getLogger(Interventions.class);

  /** More at once is a mistake, not an intervention. */
  private static final int MAX_PARTITIONS = 10_000;

  private static final int MAX_REASON = 1_000;

  private final Database database;

  public Interventions(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  // What runs under a claim finishes; its commit counts, and the partition stays excused.
  private static final Sql EXCUSE =
      Sql.of(
          """
          update tidemark.partition_ledger
             set excused_at = coalesce(excused_at, clock_timestamp()),
                 excuse = :reason
           where pipeline_id = :pipeline
             and partition = any(:partitions::text[])
             and string_to_array(slice, '/') @> :slice::text[]
             and (excused_at is null or excuse is distinct from :reason)
          returning id
          """);

  /**
   * Takes partitions out of the expected set, with a reason. Returns how many rows changed. An
   * empty slice filter means all slices.
   *
   * @throws LedgerRefusal if a label or slice is unknown, or a partition has no row to excuse
   */
  public int excuse(
      RegisteredPipeline pipeline, List<String> partitions, Slice filter, String reason) {
    requireReason(reason);
    requireSome(partitions);
    return database.transaction(
        connection -> {
          check(connection, pipeline, partitions, filter);
          requireRows(connection, pipeline, partitions, filter);
          return change(
              connection,
              pipeline,
              on(connection, EXCUSE, pipeline, partitions, filter).set("reason", reason));
        });
  }

  private static final Sql UNEXCUSE =
      Sql.of(
          """
          update tidemark.partition_ledger
             set excused_at = null,
                 excuse = null
           where pipeline_id = :pipeline
             and partition = any(:partitions::text[])
             and string_to_array(slice, '/') @> :slice::text[]
             and excused_at is not null
          returning id
          """);

  /**
   * Puts them back.
   *
   * @throws LedgerRefusal if a label or slice is unknown
   */
  public int unexcuse(
      RegisteredPipeline pipeline, List<String> partitions, Slice filter, String reason) {
    requireReason(reason);
    requireSome(partitions);
    int changed =
        database.transaction(
            connection -> {
              check(connection, pipeline, partitions, filter);
              return change(
                  connection, pipeline, on(connection, UNEXCUSE, pipeline, partitions, filter));
            });
    log.info("{}: {} partitions are expected again: {}", pipeline.name(), changed, reason);
    return changed;
  }

  /** Which windows a stateful pipeline passes over changes: those after them are linked anew. */
  private static int change(Connection connection, RegisteredPipeline pipeline, Sql.Call call)
      throws SQLException {
    Predecessors.lock(connection, pipeline.id());
    List<Long> changed = call.list(row -> row.number("id"));
    Predecessors.link(connection, changed);
    return changed.size();
  }

  // A row under a live claim is being retried already: the retry joins it. One that failed stays
  // failed until it is claimed, which resets its count; its next attempt time lies before the
  // newest sweep began, so that one under way takes it too.
  private static final Sql RETRY =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set parked_at = null,
                 failures = 0,
                 failed_claims = case when l.parked_at is null then l.failed_claims
                                      else greatest(l.failed_claims, 1) end,
                 failed_version = null,
                 lost = 0,
                 retried_at = case when l.parked_at is not null or l.failed_claims > 0
                                   then clock_timestamp() end,
                 next_attempt_at = case when l.parked_at is not null or l.failed_claims > 0
                                        then least(clock_timestamp(), p.last_sweep_at) end,
                 next_attempt_now = null
            from tidemark.pipeline p
           where p.pipeline_id = :pipeline
             and l.pipeline_id = p.pipeline_id
             and (cardinality(:partitions::text[]) = 0 or l.partition = any(:partitions::text[]))
             and string_to_array(l.slice, '/') @> :slice::text[]
             and l.claim_id is null
             and (l.parked_at is not null
               or l.retried_at is null and (l.failed_claims > 0 or l.next_attempt_at is not null))
          """);

  /**
   * Makes parked and failed partitions due now; an empty list means all of them. Of an account that
   * is left alone one partition is tried now.
   *
   * @throws LedgerRefusal if a label or slice is unknown
   */
  public int retry(RegisteredPipeline pipeline, List<String> partitions, Slice filter) {
    return database.transaction(
        connection -> {
          check(connection, pipeline, partitions, filter);
          // A settle, too, locks its row first and the breaker of its account then.
          int retried = on(connection, RETRY, pipeline, partitions, filter).update();
          String account = pipeline.definition().extent().account();
          if (account != null) {
            Breakers.tryNow(connection, pipeline, filter.values().get(account));
          }
          return retried;
        });
  }

  private static Sql.Call on(
      Connection connection,
      Sql sql,
      RegisteredPipeline pipeline,
      List<String> partitions,
      Slice filter) {
    return sql.on(connection)
        .set("pipeline", pipeline.id())
        .set("partitions", partitions)
        .set("slice", NamedPartitions.parts(filter));
  }

  private static void check(
      Connection connection, RegisteredPipeline pipeline, List<String> partitions, Slice filter)
      throws SQLException {
    if (partitions.size() > MAX_PARTITIONS) {
      throw invalid(
          "partition",
          "%d partitions are named; at most %d at once"
              .formatted(partitions.size(), MAX_PARTITIONS));
    }
    partitions.forEach(label -> NamedPartitions.window(pipeline, "partition", label));
    NamedPartitions.checkSlice(pipeline, filter);
    NamedPartitions.checkKnown(connection, pipeline, filter);
  }

  private static final Sql WITHOUT_ROW =
      Sql.of(
          """
          select label
            from unnest(:partitions::text[]) as label
           where not exists (
               select 1
                 from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline
                  and l.partition = label
                  and string_to_array(l.slice, '/') @> :slice::text[])
           limit 1
          """);

  private static void requireRows(
      Connection connection, RegisteredPipeline pipeline, List<String> partitions, Slice filter)
      throws SQLException {
    var missing =
        on(connection, WITHOUT_ROW, pipeline, partitions, filter).first(row -> row.text("label"));
    if (missing.isPresent()) {
      throw invalid(
          "partition",
          ("partition '%s' of %s is not in the ledger: it is not closed yet, or not expected; "
                  + "explain says which, and the next sweep adds what has closed")
              .formatted(missing.get(), pipeline.name()));
    }
  }

  private static void requireSome(List<String> partitions) {
    if (partitions.isEmpty()) {
      throw invalid("partition", "partition is missing: name at least one");
    }
  }

  private static void requireReason(String reason) {
    if (reason == null || reason.isBlank()) {
      throw invalid("reason", "reason is missing: say why, for whoever looks at this later");
    }
    if (reason.length() > MAX_REASON) {
      throw invalid(
          "reason", "reason has %d characters; at most %d".formatted(reason.length(), MAX_REASON));
    }
  }

  private static LedgerRefusal invalid(String field, String message) {
    return new LedgerRefusal(LedgerRefusal.Kind.INVALID, field, message);
  }
}
