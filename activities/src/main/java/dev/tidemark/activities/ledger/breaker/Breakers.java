package dev.tidemark.activities.ledger.breaker;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.Accounts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit breakers of the accounts of a pipeline. A breaker opens with the refusal that makes
 * enough of them, and says so once. A commit of the account closes it, and so does that nothing of
 * the account is expected any more.
 */
public final class Breakers {
  private static final Logger log = LoggerFactory.getLogger(Breakers.class);

  private Breakers() {}

  /** Enough refusals have come together. */
  public record Opened(OpenBreaker breaker) {
    /** The one alert of it, once what was written is committed (c-J9). */
    public void alert(String pipeline) {
      log.warn(
          "{}: account {} is left alone until {}: its destination refused it {} time(s) in a row;"
              + " then one partition is tried, or at once with: tidemark retry {}. {}",
          pipeline,
          breaker.account(),
          breaker.until(),
          breaker.refusals(),
          pipeline,
          breaker.lastError());
    }
  }

  /** A commit of the account has come since the last refusal. */
  private static final String COMMITTED_SINCE =
      """
      exists (
               select
                 from tidemark.partition_ledger c
                where c.pipeline_id = b.pipeline_id
                  and c.account is not null and c.account collate "C" = b.account
                  and c.committed_at is not null and c.committed_at > b.refused_at)""";

  /** Its destination accepts again, or nobody waits for what would go there. */
  private static final String OVER =
      """
      (%s
              or not exists (
               select
                 from tidemark.partition_ledger e
                where e.pipeline_id = b.pipeline_id and e.expected
                  and e.account is not null and e.account collate "C" = b.account))"""
          .formatted(COMMITTED_SINCE);

  /**
   * A refusal after a commit of the account, or after its breaker was closed, is the first one
   * again. A row of no account has no breaker.
   */
  private static final Sql REFUSED =
      Sql.of(
          """
          with mine as (
            select l.pipeline_id, l.account, clock_timestamp() as at
              from tidemark.attempt a
              join tidemark.partition_ledger l on l.id = a.row_id
             where a.token = :token and l.account is not null),
          known as (
            select b.pipeline_id, b.refusals, b.opened_at
              from tidemark.breaker b
              join mine using (pipeline_id, account)
             where b.closed_at is null
               and not %s
               for update of b),
          counted as (
            select mine.*, coalesce(known.refusals, 0) + 1 as refusals, known.opened_at
              from mine
              left join known using (pipeline_id)),
          judged as (
            select counted.*, opened_at is not null or refusals >= :enough as opens
              from counted)
          insert into tidemark.breaker
                 (pipeline_id, account, refusals, refused_at, last_error, opened_at, until)
          select pipeline_id, account, refusals, at, :error,
                 case when opens then coalesce(opened_at, at) end,
                 case when opens then at + :pause_ms * interval '1 millisecond' end
            from judged
          on conflict (pipeline_id, account) do update
             set refusals = excluded.refusals, refused_at = excluded.refused_at,
                 last_error = excluded.last_error, opened_at = excluded.opened_at,
                 until = excluded.until, closed_at = null
          returning account, refusals, opened_at, until, true as shut, last_error,
                    coalesce(opened_at = refused_at, false) as opened
          """
              .formatted(COMMITTED_SINCE));

  /** Counts a refusal, in the transaction that settles the attempt; tells if that opens it. */
  public static Optional<Opened> refused(
      Connection connection, long token, Accounts.Breaker rule, String error) throws SQLException {
    List<Opened> opened = new ArrayList<>();
    REFUSED
        .on(connection)
        .set("token", token)
        .set("enough", rule.after())
        .set("pause_ms", rule.pause().toMillis())
        .set("error", error)
        .results(
            row -> {
              if (row.flag("opened")) {
                opened.add(new Opened(OpenBreaker.of(row)));
              }
            });
    return opened.stream().findFirst();
  }

  private static final String OPEN =
      """
      select b.account, b.refusals, b.opened_at, b.until, b.until > clock_timestamp() as shut,
             b.last_error
        from tidemark.breaker b
       where b.pipeline_id = :pipeline and b.opened_at is not null and b.closed_at is null
         and not %s
       order by b.account
      """
          .formatted(OVER);

  private static final Sql LIST = Sql.of(OPEN);

  private static final Sql CLOSE_AND_LIST =
      Sql.of(
          """
          update tidemark.breaker b
             set closed_at = clock_timestamp()
           where b.pipeline_id = :pipeline and b.opened_at is not null and b.closed_at is null
             and %s;

          """
                  .formatted(OVER)
              + OPEN);

  /** Those of a pipeline that are open, after closing those that are over. */
  public static List<OpenBreaker> closeAndList(Connection connection, RegisteredPipeline pipeline)
      throws SQLException {
    if (pipeline.definition().extent().account() == null) {
      return List.of();
    }
    List<OpenBreaker> open = new ArrayList<>();
    CLOSE_AND_LIST
        .on(connection)
        .set("pipeline", pipeline.id())
        .results(row -> open.add(OpenBreaker.of(row)));
    return open;
  }

  /** Those of a pipeline that are open, by the account's name. */
  public static List<OpenBreaker> list(Connection connection, RegisteredPipeline pipeline)
      throws SQLException {
    return pipeline.definition().extent().account() == null
        ? List.of()
        : LIST.on(connection).set("pipeline", pipeline.id()).list(OpenBreaker::of);
  }

  private static final Sql TRY_NOW =
      Sql.of(
          """
          update tidemark.breaker
             set until = clock_timestamp()
           where pipeline_id = :pipeline and opened_at is not null and closed_at is null
             and (account = :account or :account::text is null)
          """);

  /**
   * Has one partition tried now.
   *
   * @param account null for each account that is left alone
   */
  public static void tryNow(
      Connection connection, RegisteredPipeline pipeline, @Nullable String account)
      throws SQLException {
    TRY_NOW.on(connection).set("pipeline", pipeline.id()).set("account", account).update();
  }
}
