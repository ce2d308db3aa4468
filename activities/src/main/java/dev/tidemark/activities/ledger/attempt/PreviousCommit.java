package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the last commit of a row made, for comparison with what is about to replace it (B17); null
 * where not known.
 *
 * @param inputVersion that it was made from; null where there were no inputs
 * @param sameDefinition it was made with the definition of this attempt
 */
public record PreviousCommit(
    long token,
    Instant committedAt,
    @Nullable Long rows,
    @Nullable Long bytes,
    @Nullable Long files,
    @Nullable String inputVersion,
    boolean sameDefinition) {

  private static final Sql OF_ATTEMPT =
      Sql.of(
          """
          select l.committed_token, l.committed_at, l.rows, l.bytes, l.files,
                 nullif(l.processed_version, '') as processed_version,
                 l.definition = a.definition as same_definition
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
           where a.token = :token and l.committed_token is not null and l.committed_at is not null
          """);

  static Optional<PreviousCommit> of(Connection connection, long token) throws SQLException {
    return OF_ATTEMPT
        .on(connection)
        .set("token", token)
        .first(
            row ->
                new PreviousCommit(
                    row.number("committed_token"),
                    row.instant("committed_at"),
                    row.numberOrNull("rows"),
                    row.numberOrNull("bytes"),
                    row.numberOrNull("files"),
                    row.textOrNull("processed_version"),
                    Boolean.TRUE.equals(row.flagOrNull("same_definition"))));
  }
}
