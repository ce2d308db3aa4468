package dev.tidemark.worker.alert;

import dev.tidemark.worker.embedded.TestServices;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Makes a pipeline older than it is: what had closed before it was registered is not overdue. */
public final class Aging {
  private Aging() {}

  /** As if it had been registered so long ago. */
  public static void by(String pipeline, String interval) throws SQLException {
    try (Connection connection = TestServices.ledger().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                update tidemark.revision r
                   set registered_at = registered_at - ?::interval
                  from tidemark.pipeline p
                 where p.pipeline_id = r.pipeline_id and p.name = ?
                """)) {
      statement.setString(1, interval);
      statement.setString(2, pipeline);
      statement.execute();
    }
  }
}
