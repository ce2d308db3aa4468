package dev.tidemark.activities.alert;

import dev.tidemark.activities.ledger.breaker.Breakers;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.activities.ledger.freshness.Unrowed;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Raises alerts and ends them, from what the ledger holds: no run is needed for that (c-M1), and it
 * costs as much as there is wrong (c-M6). An alert, its recovery, and the messages about them are
 * written in one transaction, so that of all the workers that look exactly one tells.
 */
public final class Alerts {
  /** Raised by one look at most; the next one goes on. */
  static final int MOST_AT_ONCE = 1_000;

  private final Database database;

  public Alerts(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Looks at one pipeline, once; does nothing while somebody else looks at it.
   *
   * @param slices what it expects; counts only where the ledger knows nothing of it
   * @param given decides what is overdue; null is the database's clock
   * @return how many alerts were raised and ended
   */
  public int look(
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      Routing routing,
      @Nullable Instant given) {
    return database.transaction(
        connection -> {
          Optional<Instant> registered = registeredUnlessBusy(connection, pipeline);
          if (registered.isEmpty()) {
            return 0;
          }
          Optional<Window> overdue =
              given == null
                  ? Freshness.overdueThrough(
                      pipeline.definition(), Database.clock(connection), registered.get())
                  : Freshness.overdueThrough(pipeline.definition(), given, null);
          List<Unrowed.One> unrowed =
              overdue.isEmpty()
                  ? List.of()
                  : Unrowed.read(connection, pipeline, slices, overdue.get().start())
                      .oldest(MOST_AT_ONCE);
          Look look =
              new Look(
                  connection,
                  pipeline,
                  overdue.map(Window::start),
                  unrowed,
                  Breakers.list(connection, pipeline),
                  Arrays.stream(AlertRule.values())
                      .filter(rule -> !routing.channels(rule).isEmpty())
                      .map(AlertRule::label)
                      .toList());
          List<Told> ended = look.recover();
          List<Told> raised = look.raise();
          tell(connection, pipeline, routing, Message.Kind.RECOVERY, ended);
          tell(connection, pipeline, routing, Message.Kind.ALERT, raised);
          return ended.size() + raised.size();
        });
  }

  private static final Sql FIRST =
      Sql.of(
          """
          select min(registered_at) as registered_at
            from tidemark.revision
           where pipeline_id = :pipeline
          having pg_try_advisory_xact_lock(hashtext('tidemark.alert'), :pipeline)
          """);

  /** When the pipeline was first registered; empty while somebody else looks at it. */
  private static Optional<Instant> registeredUnlessBusy(
      Connection connection, RegisteredPipeline pipeline) throws SQLException {
    return FIRST
        .on(connection)
        .set("pipeline", pipeline.id())
        .first(row -> row.instant("registered_at"));
  }

  private static void tell(
      Connection connection,
      RegisteredPipeline pipeline,
      Routing routing,
      Message.Kind kind,
      List<Told> all)
      throws SQLException {
    Map<AlertRule, List<Told>> byRule = new EnumMap<>(AlertRule.class);
    for (AlertRule rule : AlertRule.values()) {
      byRule.put(rule, all.stream().filter(told -> told.isTold() && told.rule() == rule).toList());
    }
    for (Map.Entry<AlertRule, List<Told>> entry : byRule.entrySet()) {
      List<Told> told = entry.getValue();
      if (!told.isEmpty()) {
        Message message =
            Message.of(
                kind,
                entry.getKey(),
                pipeline.name(),
                told.get(0).at(),
                told.stream().map(Told::subject).toList());
        Outbox.put(connection, pipeline, routing.channels(entry.getKey()), message);
      }
    }
  }

  /**
   * An alert that was raised, or has ended.
   *
   * @param isTold whether there is somebody to tell, or was when it was raised
   */
  private record Told(AlertRule rule, Message.Subject subject, Instant at, boolean isTold) {
    static Told of(Row row) throws SQLException {
      return new Told(
          AlertRule.of(row.text("rule")),
          new Message.Subject(
              row.text("partition"),
              row.text("slice"),
              row.text("account"),
              row.textOrNull("detail")),
          row.instant("at"),
          row.flag("told"));
    }
  }

  /**
   * One look.
   *
   * @param overdue start of the newest window that must be committed
   * @param unrowed those of them without a row
   * @param breakers those that are open
   * @param telling the rules that somebody is told of
   */
  private record Look(
      Connection connection,
      RegisteredPipeline pipeline,
      Optional<Instant> overdue,
      List<Unrowed.One> unrowed,
      List<OpenBreaker> breakers,
      List<String> telling) {

    /** Each part is found by the index partition_attention, or is handed in. */
    private static final String WRONG =
        """
        select 'freshness' as rule, l.slice, l.partition, '' as account, l.window_start,
               coalesce(l.last_error,
                 case when l.upstream_hold is not null then 'waits for ' || l.upstream_hold
                      when l.no_input then 'its input is not there'
                      when l.output_lost_at is not null then 'its output was lost'
                      when l.claim_id is not null then 'it runs' end) as detail
          from tidemark.partition_ledger l
         where l.pipeline_id = :pipeline and l.expected
           and (l.committed_token is null or l.output_lost_at is not null)
           and l.excused_at is null and l.skipped_at is null
           and l.window_start <= :overdue::timestamptz
        union all
        select 'freshness', u.slice, u.partition, '', u.window_start, 'no sweep has planned it'
          from unnest(:slices::text[], :partitions::text[], :starts::timestamptz[])
                 as u (slice, partition, window_start)
        union all
        select 'failed', l.slice, l.partition, '', l.window_start, l.last_error
          from tidemark.partition_ledger l
         where l.pipeline_id = :pipeline and l.expected and l.failed_claims > 0
           and l.excused_at is null
        union all
        select 'parked', l.slice, l.partition, '', l.window_start, l.last_error
          from tidemark.partition_ledger l
         where l.pipeline_id = :pipeline and l.expected and l.parked_at is not null
           and l.excused_at is null
        union all
        select 'breaker', '', '', b.account, null::timestamptz, b.detail
          from unnest(:accounts::text[], :refusals::text[]) as b (account, detail)
        """;

    private static final Sql RAISE =
        Sql.of(
            """
            with wrong as (
            """
                + WRONG
                + """
                ),
                raised as (
                  insert into tidemark.alert
                         (pipeline_id, rule, slice, partition, account, window_start, detail, told)
                  select :pipeline, w.rule, w.slice, w.partition, w.account, w.window_start,
                         left(w.detail, 500), w.rule = any(:telling)
                    from wrong w
                   where not exists (
                     select from tidemark.alert a
                      where a.pipeline_id = :pipeline and a.rule = w.rule and a.slice = w.slice
                        and a.partition = w.partition and a.account = w.account
                        and a.recovered_at is null)
                   order by w.window_start, w.slice
                   limit :most
                  on conflict do nothing
                  returning *),
                untold as (
                  update tidemark.alert set told = true
                   where alert_id in (
                     select alert_id from tidemark.alert
                      where pipeline_id = :pipeline and recovered_at is null
                        and not told and rule = any(:telling)
                      limit :most)
                  returning *)
                select rule, slice, partition, account, detail, raised_at as at, told
                  from (select * from raised union all select * from untold) as news
                 order by rule, window_start, slice
                """);

    /** What is wrong now and was not, and what was raised where there was nobody to tell. */
    List<Told> raise() throws SQLException {
      return bound(RAISE.on(connection)).set("most", MOST_AT_ONCE).list(Told::of);
    }

    /**
     * What failed has recovered once it is committed, not as soon as it is tried again, and not by
     * what was committed before it failed while there is other input. A partition without a row has
     * not: unless it is not expected any more, its row comes with the next sweep. An end that
     * nobody was told of is told within a week; later it is no news.
     */
    private static final Sql RECOVER =
        Sql.of(
            """
            with over as (
              select a.alert_id,
                     case
                       when a.account <> '' then
                         case
                           when a.account = any(:accounts) then null
                           when exists (select from tidemark.partition_ledger e
                                         where e.pipeline_id = :pipeline and e.expected
                                           and e.account is not null
                                           and e.account collate "C" = a.account)
                             then 'it accepts again'
                           else 'not expected any more'
                         end
                       when l.id is null and (not exists (
                             select from tidemark.expected_slice s where s.pipeline_id = :pipeline)
                           or exists (select from tidemark.expected_slice s
                                       where s.pipeline_id = :pipeline and s.slice = a.slice
                                         and s.since <= a.window_start
                                         and (s.until is null or s.until > a.window_start)))
                         then null
                       when l.id is null or not l.expected then 'not expected any more'
                       when l.excused_at is not null then 'excused'
                       when a.rule = 'freshness' then
                         case when l.committed_token is not null and l.output_lost_at is null
                                then 'committed'
                              when l.skipped_at is not null then 'passed over by the catch-up policy'
                              when :overdue::timestamptz is null then 'not watched any more' end
                       when l.state = 'completed'
                         and (l.committed_at > a.raised_at
                              or l.input_version is not distinct from l.processed_version)
                         then 'committed'
                     end as because
                from tidemark.alert a
                left join tidemark.partition_ledger l
                  on l.pipeline_id = a.pipeline_id and l.slice = a.slice
                 and l.partition = a.partition
               where a.pipeline_id = :pipeline and a.recovered_at is null),
            ended as (
              update tidemark.alert a
                 set recovered_at = clock_timestamp(), recovered_because = over.because,
                     recovery_told = not a.told or a.rule = any(:telling)
                from over
               where a.alert_id = over.alert_id and over.because is not null
                 and a.recovered_at is null
              returning a.*),
            untold as (
              update tidemark.alert set recovery_told = true
               where alert_id in (
                 select alert_id from tidemark.alert
                  where pipeline_id = :pipeline and not recovery_told
                    and recovered_at > clock_timestamp() - interval '7 days'
                    and rule = any(:telling)
                  order by recovered_at
                  limit :most)
              returning *)
            select rule, slice, partition, account, recovered_because as detail,
                   recovered_at as at, told
              from (select * from ended union all select * from untold) as news
             order by rule, window_start, slice
            """);

    List<Told> recover() throws SQLException {
      return RECOVER
          .on(connection)
          .set("pipeline", pipeline.id())
          .set("overdue", overdue.orElse(null))
          .set("accounts", accounts())
          .set("telling", telling)
          .set("most", MOST_AT_ONCE)
          .list(Told::of);
    }

    private List<String> accounts() {
      return breakers.stream().map(OpenBreaker::account).toList();
    }

    private Sql.Call bound(Sql.Call call) {
      return call.set("pipeline", pipeline.id())
          .set("overdue", overdue.orElse(null))
          .set("accounts", accounts())
          .set("telling", telling)
          .set("refusals", breakers.stream().map(OpenBreaker::lastError).toList())
          .set("slices", unrowed.stream().map(Unrowed.One::slice).toList())
          .set("partitions", unrowed.stream().map(one -> one.window().label()).toList())
          .set("starts", unrowed.stream().map(one -> one.window().start()).toList());
    }
  }

  private static final Sql FORGET =
      Sql.of(
          """
          delete from tidemark.alert
           where alert_id in (
             select alert_id from tidemark.alert
              where recovered_at < clock_timestamp() - interval '90 days'
              limit 10000);
          delete from tidemark.notification
           where notification_id in (
             select notification_id from tidemark.notification
              where created_at < clock_timestamp() - interval '30 days'
                and (sent_at is not null or given_up_at is not null)
              limit 10000)
          """);

  /** Deletes what ended long ago: alerts after 90 days, messages after 30. */
  public void forget() {
    database.roundTrip(connection -> FORGET.on(connection).update());
  }
}
