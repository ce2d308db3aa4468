package dev.tidemark.activities.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.payload.Payloads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The messages that wait to be delivered. One is sent by one worker at a time; of one channel and
 * pipeline they go out in order, so that no recovery comes before its alert. Bounded: {@value
 * #MOST_WAITING} of a channel wait, and each is tried {@value #MOST_TRIES} times, for some two
 * hours.
 */
public final class Outbox {
  /** Within this a channel has delivered, or it is tried again. */
  public static final Duration LEASE = Duration.ofMinutes(1);

  static final int MOST_WAITING = 1_000;
  static final int MOST_TRIES = 12;

  private static final int MOST_ERROR = 500;
  private static final ObjectMapper JSON = Payloads.mapper();

  private final Database database;

  public Outbox(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /** The message as JSON. */
  public static String json(Message message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a message is no JSON", e);
    }
  }

  /** Where a channel has no room, it is recorded as not told rather than forgotten. */
  private static final Sql PUT =
      Sql.of(
          """
          insert into tidemark.notification (pipeline_id, channel, message, given_up_at, last_error)
          select :pipeline, c.name, :message::jsonb,
                 case when full_.is_so then clock_timestamp() end,
                 case when full_.is_so then :most || ' messages wait for this channel already' end
            from unnest(:channels::text[]) as c (name)
           cross join lateral (
             select count(*) >= :most as is_so
               from tidemark.notification n
              where n.channel = c.name and n.sent_at is null and n.given_up_at is null) full_
          """);

  static void put(
      Connection connection,
      RegisteredPipeline pipeline,
      Collection<String> channels,
      Message message)
      throws SQLException {
    if (!channels.isEmpty()) {
      PUT.on(connection)
          .set("pipeline", pipeline.id())
          .set("message", json(message))
          .set("channels", List.copyOf(channels))
          .set("most", MOST_WAITING)
          .update();
    }
  }

  private static final Sql TAKE =
      Sql.of(
          """
          update tidemark.notification
             set tries = tries + 1,
                 leased_until = clock_timestamp() + :lease * interval '1 millisecond'
           where notification_id = (
             select n.notification_id
               from tidemark.notification n
              where n.channel = :channel and n.sent_at is null and n.given_up_at is null
                and n.next_try_at <= clock_timestamp()
                and (n.leased_until is null or n.leased_until < clock_timestamp())
                and not exists (
                  select from tidemark.notification before
                   where before.channel = n.channel and before.pipeline_id = n.pipeline_id
                     and before.notification_id < n.notification_id
                     and before.sent_at is null and before.given_up_at is null)
              order by n.notification_id
              limit 1
                for update skip locked)
          returning notification_id, tries, message::text as message
          """);

  /** The next message of a channel, which is then the caller's for {@link #LEASE}. */
  public Optional<Letter> take(String channel) {
    return database.roundTrip(
        connection ->
            TAKE.on(connection)
                .set("channel", channel)
                .set("lease", LEASE.toMillis())
                .first(Letter::of));
  }

  private static final Sql SENT =
      Sql.of(
          """
          update tidemark.notification
             set sent_at = clock_timestamp(), leased_until = null, last_error = null
           where notification_id = :id and sent_at is null
          """);

  /** It was delivered. */
  public void sent(Letter letter) {
    database.roundTrip(connection -> SENT.on(connection).set("id", letter.id()).update());
  }

  private static final Sql FAILED =
      Sql.of(
          """
          update tidemark.notification
             set leased_until = null, last_error = :error,
                 next_try_at = clock_timestamp()
                   + least(10 * power(2, tries - 1), 1800) * interval '1 second',
                 given_up_at = case when :for_ever or tries >= :most then clock_timestamp() end
           where notification_id = :id and sent_at is null and tries = :tries
          returning given_up_at is not null as given_up
          """);

  /**
   * It was not delivered.
   *
   * @param forEver trying again cannot help
   * @return whether it is given up
   */
  public boolean failed(Letter letter, String error, boolean forEver) {
    return database.roundTrip(
        connection ->
            FAILED
                .on(connection)
                .set("id", letter.id())
                .set("tries", letter.tries())
                .set("error", error.substring(0, Math.min(MOST_ERROR, error.length())))
                .set("for_ever", forEver)
                .set("most", MOST_TRIES)
                .first(row -> row.flag("given_up"))
                .orElse(false));
  }

  private static final Sql COUNTS =
      Sql.of(
          """
          select channel, 'waiting' as state, count(*) as messages
            from tidemark.notification
           where sent_at is null and given_up_at is null
           group by channel
          union all
          select channel, 'given_up', count(*)
            from tidemark.notification
           where given_up_at > clock_timestamp() - interval '1 day'
             and created_at > clock_timestamp() - interval '2 days'
             and (sent_at is not null or given_up_at is not null)
           group by channel
          """);

  /** How many messages of each channel wait, and how many were given up within a day. */
  public List<Count> counts() {
    return database.roundTrip(
        connection ->
            COUNTS
                .on(connection)
                .list(
                    row ->
                        new Count(
                            row.text("channel"), row.text("state"), row.integer("messages"))));
  }

  /**
   * Messages of a channel.
   *
   * @param state {@code waiting} or {@code given_up}
   */
  public record Count(String channel, String state, int messages) {}

  /** A message on its way. */
  public record Letter(long id, int tries, Message message) {
    private static Letter of(Row row) throws SQLException {
      try {
        return new Letter(
            row.number("notification_id"),
            row.integer("tries"),
            JSON.readValue(row.text("message"), Message.class));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("notification " + row.number("notification_id"), e);
      }
    }
  }
}
