package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.DefinitionCache;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** An attempt that began in another activity, perhaps of another worker, as it began. */
final class Resuming {
  private Resuming() {}

  private static final Sql BEGUN =
      Sql.of(
          """
          select a.token, a.attempt, a.began_at, a.closed_through,
                 nullif(a.predecessor, 0) as predecessor,
                 nullif(a.input_version, '') as input_version,
                 l.slice, l.partition, l.window_start, l.window_end, l.claim_now,
                 p.pipeline_id, a.revision, a.definition as fingerprint,
                 p.paused_at is not null as paused, p.lookback_floor
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id and l.token = a.token
            join tidemark.pipeline p using (pipeline_id)
           where a.token = :token
             and (l.claim_id is null or l.claim_id = a.claim_id)
             and (a.ended_at is null or a.outcome = 'lost')
          """);

  /** With the definition that it began with; the parameters were for its task, and are not read. */
  static Optional<Begun> begun(Connection connection, DefinitionCache definitions, long token)
      throws SQLException {
    return BEGUN
        .on(connection)
        .set("token", token)
        .first(
            row ->
                new Begun(
                    token,
                    definitions.complete(connection, DefinitionCache.Key.of(row)),
                    new Window(
                        row.text("partition"),
                        row.instant("window_start"),
                        row.instant("window_end")),
                    Slice.parse(row.text("slice")),
                    Map.of(),
                    new Begin.Context(
                        row.integer("attempt"),
                        row.instant("began_at"),
                        row.instant("claim_now"),
                        row.instantOrNull("closed_through"),
                        row.textOrNull("input_version"),
                        row.numberOrNull("predecessor"),
                        null)));
  }
}
