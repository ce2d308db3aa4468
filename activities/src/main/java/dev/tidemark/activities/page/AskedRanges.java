package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What backfills asked for, beside their progress. */
public final class AskedRanges {
  private final Database database;

  public AskedRanges(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * What one asked for.
   *
   * @param first label of the first partition, as it was asked for
   * @param last label of the last one, inclusive
   * @param slice the filter, canonical
   */
  public record Asked(
      String first,
      String last,
      String slice,
      String mode,
      @Nullable Integer parallel,
      By by,
      @Nullable Instant endedAt) {}

  /** Who asked, when, and why. */
  public record By(Instant at, @Nullable String who, @Nullable String reason) {}

  private static final Sql ASKED =
      Sql.of(
          """
          select backfill_id, first, last, slice, mode, parallel, requested_at, requested_by, reason,
                 ended_at
            from tidemark.backfill
           where backfill_id = any(:backfills::text[])
          """);

  /** By the backfill's id; one that there is not is left out. */
  public Map<String, Asked> of(List<String> backfills) {
    Map<String, Asked> asked = new HashMap<>();
    database.roundTrip(
        connection ->
            ASKED
                .on(connection)
                .set("backfills", backfills)
                .list(row -> asked.put(row.text("backfill_id"), asked(row))));
    return asked;
  }

  private static Asked asked(Row row) throws SQLException {
    Long parallel = row.numberOrNull("parallel");
    return new Asked(
        row.text("first"),
        row.text("last"),
        row.text("slice"),
        row.text("mode"),
        parallel == null ? null : parallel.intValue(),
        new By(
            row.instant("requested_at"), row.textOrNull("requested_by"), row.textOrNull("reason")),
        row.instantOrNull("ended_at"));
  }
}
