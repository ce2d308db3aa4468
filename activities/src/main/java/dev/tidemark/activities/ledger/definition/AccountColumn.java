package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.partition.Slice;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which account each row belongs to, where a definition has come to say another dimension. */
final class AccountColumn {
  private static final Sql SLICES =
      Sql.of(
          """
          with recursive slices (slice) as (
            select min(slice) from tidemark.partition_ledger where pipeline_id = :pipeline
            union all
            select (select min(l.slice) from tidemark.partition_ledger l
                     where l.pipeline_id = :pipeline and l.slice > slices.slice)
              from slices
             where slices.slice is not null)
          select slice from slices where slice is not null
          """);

  private static final Sql WRITE =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set account = of.account
            from unnest(:slices::text[], :accounts::text[]) as of (slice, account)
           where l.pipeline_id = :pipeline and l.slice = of.slice
             and l.account is distinct from of.account
          """);

  private AccountColumn() {}

  /**
   * Writes it for every row.
   *
   * @param dimension null where the pipeline has accounts no more
   */
  static void write(Connection connection, int pipeline, @Nullable String dimension)
      throws SQLException {
    List<String> slices =
        SLICES.on(connection).set("pipeline", pipeline).list(row -> row.text("slice"));
    List<@Nullable String> accounts = new ArrayList<>();
    for (String slice : slices) {
      accounts.add(dimension == null ? null : Slice.parse(slice).values().get(dimension));
    }
    WRITE
        .on(connection)
        .set("pipeline", pipeline)
        .set("slices", slices)
        .set("accounts", accounts)
        .update();
  }
}
