package dev.tidemark.activities.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages are delivered in order, by one worker at a time, within bounds. */
class OutboxTest {
  private final LedgerScene scene = new LedgerScene();
  private final Outbox outbox = new Outbox(scene.dataSource);
  private final RegisteredPipeline sales = scene.daily("sales");

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aMessageIsSentByOneAtATimeAndInOrder() {
    put("a");
    put("b");
    Outbox.Letter first = outbox.take("ops").orElseThrow();
    assertThat(first.message().about().get(0).partition()).isEqualTo("a");
    assertThat(outbox.take("ops")).isEmpty();
    assertThat(outbox.take("other")).isEmpty();

    outbox.sent(first);

    assertThat(outbox.take("ops").orElseThrow().message().about().get(0).partition())
        .isEqualTo("b");
  }

  // A worker that was killed while it sent
  @Test
  void aMessageWhoseSenderVanishedIsSentByAnother() {
    put("a");
    Outbox.Letter first = outbox.take("ops").orElseThrow();
    scene.run("update tidemark.notification set leased_until = now() - interval '1 second'");

    Outbox.Letter again = outbox.take("ops").orElseThrow();

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.tries()).isEqualTo(2);
    // What the first one still says does not count.
    assertThat(outbox.failed(first, "late", true)).isFalse();
    assertThat(scene.text("select given_up_at from tidemark.notification")).isNull();
  }

  @Test
  void aMessageIsTriedSoOftenAndThenGivenUpForAllToSee() {
    put("a");
    put("b");
    for (int i = 1; i <= Outbox.MOST_TRIES; i++) {
      Outbox.Letter letter = outbox.take("ops").orElseThrow();
      assertThat(outbox.failed(letter, "connection refused", false))
          .isEqualTo(i == Outbox.MOST_TRIES);
      scene.run("update tidemark.notification set next_try_at = now()");
    }

    assertThat(outbox.take("ops").orElseThrow().message().about().get(0).partition())
        .isEqualTo("b");
    assertThat(
            scene.text(
                "select last_error from tidemark.notification where given_up_at is not null"))
        .isEqualTo("connection refused");
  }

  @Test
  void aFailedDeliveryWaitsLongerEachTime() {
    put("a");
    outbox.failed(outbox.take("ops").orElseThrow(), "no", false);
    assertThat(outbox.take("ops")).isEmpty();
    assertThat(
            scene.text(
                "select next_try_at between now() + interval '5 seconds' and now() + interval '10"
                    + " seconds' from tidemark.notification"))
        .isEqualTo("t");
  }

  @Test
  void aChannelThatIsFullIsNotFilledFurther() {
    scene.run(
        """
        insert into tidemark.notification (pipeline_id, channel, message)
        select ?, 'ops', '{}' from generate_series(1, ?)
        """,
        sales.id(),
        Outbox.MOST_WAITING);

    put("a");

    assertThat(
            scene.text(
                "select last_error from tidemark.notification where given_up_at is not null"))
        .isEqualTo("1000 messages wait for this channel already");
  }

  // Deliveries can be told apart, and what a receiver reads is stated
  @Test
  void aMessageIsJson() {
    assertThat(Outbox.json(message("2026-01-01")))
        .isEqualTo(
            """
            {"kind":"alert","rule":"parked","pipeline":"sales","at":"2026-01-02T00:00:00Z","count":1,\
            "about":[{"partition":"2026-01-01","slice":"","account":"","detail":"x"}],\
            "text":"sales: 2026-01-01 parked: x"}\
            """);
  }

  private void put(String partition) {
    new Database(scene.dataSource)
        .transaction(
            connection -> {
              Outbox.put(connection, sales, List.of("ops"), message(partition));
              return true;
            });
  }

  private static Message message(String partition) {
    return Message.of(
        Message.Kind.ALERT,
        AlertRule.PARKED,
        "sales",
        Instant.parse("2026-01-02T00:00:00Z"),
        List.of(new Message.Subject(partition, "", "", "x")));
  }
}
