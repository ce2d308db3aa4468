package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.source.Found;
import dev.tidemark.activities.index.source.Sources;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Datasource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Looks at datasources, which come one after another however long each takes. */
public final class Looks {
  private final Database database;

  public Looks(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql NEXT = Sql.of("select nextval('tidemark.object_look') as number");

  /** The number of a look that is about to begin. */
  public long next() {
    return database
        .roundTrip(connection -> NEXT.on(connection).list(row -> row.number("number")))
        .get(0);
  }

  private static final Sql LOOKED =
      Sql.of(
          """
          update tidemark.object_index
             set look = :look
           where object_index_id = :index and look < :look
          """);

  /**
   * Remembers what a look has found, unless a later one was remembered already.
   *
   * @param asked a person asks: what has no version is read now
   */
  static void remember(Connection connection, ObjectIndex index, Look look, boolean asked)
      throws SQLException {
    if (LOOKED.on(connection).set("index", index.id()).set("look", look.number()).update() == 0) {
      return;
    }
    // What is another version at each look is not built back to back.
    Duration pause = index.type().rhythm().every().dividedBy(2);
    for (Datasource datasource : index.type().datasources()) {
      List<Found> now = look.found().get(datasource.name());
      boolean rests =
          !asked
              && Sources.isAlwaysNew(datasource)
              && Transactions.takenWithin(connection, index, datasource, pause);
      if (now != null && !rests) {
        Transactions.remember(connection, index, datasource, now);
      }
    }
  }
}
