package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Builds that have failed, and what is not tried again for that. */
final class BuildFailures {
  private BuildFailures() {}

  private static final Sql NEWEST =
      Sql.of(
          """
          select coalesce(error, '') as error, bad_data and input = :input as same
            from tidemark.object_build
           where object_index_id = :index and state in ('completed', 'failed')
           order by build_id desc
           limit 1
          """);

  /** Why the newest build has failed, if it was for this same data. */
  static Optional<String> before(Connection connection, ObjectIndex index, BuildNeed need)
      throws SQLException {
    return NEWEST
        .on(connection)
        .set("index", index.id())
        .set("input", need.input())
        .first(row -> row.flag("same") ? row.text("error") : "")
        .filter(error -> !error.isEmpty());
  }

  private static final Sql FAIL =
      Sql.of(
          """
          with failed as (
            update tidemark.object_build
               set state = 'failed', ended_at = clock_timestamp(), error = :error,
                   bad_data = :bad_data
             where token = :token and state = 'running'
            returning object_index_id, cause, began_at),
          answered as (
            update tidemark.object_type t
               set full_asked_at = null
              from failed f
              join tidemark.object_index i using (object_index_id)
             where t.object_type_id = i.object_type_id and :bad_data and f.cause = 'asked'
               and t.full_asked_at <= f.began_at)
          select object_index_id from failed
          """);

  /** See {@link Builds#fail}; returns the index whose build that was, if it ran. */
  static Optional<Long> fail(Connection connection, long token, String error, boolean badData)
      throws SQLException {
    Optional<Long> failed =
        FAIL.on(connection)
            .set("token", token)
            .set("error", error)
            .set("bad_data", badData)
            .first(row -> row.number("object_index_id"));
    if (failed.isPresent()) {
      Replacements.end(connection, failed.get(), error);
    }
    return failed;
  }
}
