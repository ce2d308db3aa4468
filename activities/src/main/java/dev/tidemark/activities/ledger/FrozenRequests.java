package dev.tidemark.activities.ledger;

import java.sql.Connection;
import java.sql.SQLException;

/** A frozen pipeline does nothing twice: a request for what is committed ends, saying so. */
final class FrozenRequests {
  private FrozenRequests() {}

  private static final Sql CANCEL =
      Sql.of(
          """
          with frozen as (
            select l.id from tidemark.partition_ledger l
             where l.pipeline_id = :pipeline and l.open and l.asked
               and l.committed_token is not null and l.output_lost_at is null
             order by l.id
               for update skip locked),
          ended as (
            update tidemark.backfill_item i
               set state = 'cancelled', cancelled_because = 'frozen'
              from frozen
             where i.row_id = frozen.id and i.state = 'requested')
          update tidemark.partition_ledger l
             set requested_gen = l.done_gen
            from frozen
           where l.id = frozen.id
          """);

  static void cancel(Connection connection, RegisteredPipeline pipeline) throws SQLException {
    CANCEL.on(connection).set("pipeline", pipeline.id()).update();
  }
}
