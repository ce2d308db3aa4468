package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.planning.Turns;
import dev.tidemark.workflows.planning.Turns.Turn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The turns of the accounts, of each class: live work and backfills are two queues. */
public final class Rotation {
  private static final String LIVE = "live";
  private static final String BACKFILL = "backfill";

  private final Accounts accounts;
  private final Turns live;
  private final Turns backfill;

  private Rotation(Accounts accounts, Map<String, Turn> last) {
    this.accounts = accounts;
    this.live = new Turns(accounts, last.get(LIVE));
    this.backfill = new Turns(accounts, last.get(BACKFILL));
  }

  /** Of a pipeline without accounts, or before any turn. */
  static Rotation beginning(Accounts accounts) {
    return new Rotation(accounts, Map.of());
  }

  private static final Sql LAST =
      Sql.of("select class, account, taken from tidemark.turn where pipeline_id = :pipeline");

  /** As the newest claim left it. Under the pipeline's lock, so that claims follow each other. */
  static Rotation of(Connection connection, int pipeline, Accounts accounts) throws SQLException {
    Map<String, Turn> last = new HashMap<>();
    LAST.on(connection)
        .set("pipeline", pipeline)
        .results(
            row ->
                last.put(row.text("class"), new Turn(row.text("account"), row.integer("taken"))));
    return new Rotation(accounts, last);
  }

  private static final Sql REMEMBER =
      Sql.of(
          """
          insert into tidemark.turn (pipeline_id, class, account, taken)
          select :pipeline, served.*
            from unnest(:classes::text[], :accounts::text[], :taken::integer[]) as served
          on conflict (pipeline_id, class) do update
             set account = excluded.account, taken = excluded.taken
          """);

  /** Whose turn of live work the next claim finds it to be. */
  public static Turns live(Connection connection, RegisteredPipeline pipeline) throws SQLException {
    Accounts accounts = pipeline.definition().pace().sharing();
    return pipeline.definition().extent().account() == null
        ? beginning(accounts).live()
        : of(connection, pipeline.id(), accounts).live();
  }

  /** Remembers whose turn it was, in the claim's own transaction. */
  void remember(Connection connection, int pipeline) throws SQLException {
    List<String> classes = new ArrayList<>();
    List<Turn> turns = new ArrayList<>();
    add(LIVE, live.last(), classes, turns);
    add(BACKFILL, backfill.last(), classes, turns);
    if (turns.isEmpty()) {
      return;
    }
    REMEMBER
        .on(connection)
        .set("pipeline", pipeline)
        .set("classes", classes)
        .set("accounts", turns.stream().map(Turn::account).toList())
        .set("taken", turns.stream().map(Turn::taken).toList())
        .update();
  }

  private static void add(
      String name, @Nullable Turn last, List<String> classes, List<Turn> turns) {
    if (last != null) {
      classes.add(name);
      turns.add(last);
    }
  }

  Turns live() {
    return live;
  }

  Turns backfill() {
    return backfill;
  }

  /** The most that one account may have in its turn. */
  int heaviest() {
    return accounts.weight().values().stream().mapToInt(Integer::intValue).max().orElse(1);
  }

  List<Candidate> ordered(List<Candidate> candidates, boolean ofLive) {
    return turns(ofLive).ordered(candidates, Candidate::account);
  }

  void served(Candidate taken) {
    turns(taken.live()).served(taken.account());
  }

  private Turns turns(boolean ofLive) {
    return ofLive ? live : backfill;
  }
}
