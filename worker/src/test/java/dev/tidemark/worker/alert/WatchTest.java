package dev.tidemark.worker.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Outbox;
import dev.tidemark.activities.alert.Routing;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.metrics.Exposition;
import dev.tidemark.worker.plugin.Pipeline;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A watch on a real ledger, with no sweep and no Temporal at all. */
@Timeout(60)
class WatchTest {
  private static final Watch.Rhythm QUICK =
      new Watch.Rhythm(Duration.ofMillis(20), Duration.ofMillis(20));

  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  @BeforeEach
  void register() throws SQLException {
    Pipeline pipeline =
        Pipeline.named(name)
            .daily(ZoneOffset.UTC)
            .from("2026-01-01")
            .until("2026-01-03")
            .freshWithin(Duration.ofHours(1))
            .task(context -> {})
            .build();
    new Definitions(TestServices.ledger()).register(pipeline.definition(), "test");
    Aging.by(name, "2 hours");
  }

  // c-M1: the schedule never fired, nothing ever ran, and it is told
  @Test
  void tellsOfABreachAlthoughNothingEverRan() throws Exception {
    try (Watch watch = watch(Map.of(name, (id, message) -> told.add(message.text())))) {
      assertThat(watch).isNotNull();
      assertThat(told.poll(30, TimeUnit.SECONDS))
          .isEqualTo(name + ": 2026-01-01 and 1 more overdue: no sweep has planned it");
    }
  }

  // A command's own worker tells nobody: it must leave what is wrong to one that tells
  @Test
  void aWorkerThatTellsNobodySwallowsNothing() throws Exception {
    Map<String, Channel> channels = Map.of(name, (id, message) -> told.add(message.text()));
    try (Watch blind =
        Watch.start(TestServices.ledger(), Set.of(name), Watching.nothing(), QUICK)) {
      assertThat(blind).isNotNull();
      untilAnotherWatchHasLooked();
    }
    try (Watch watch = watch(channels)) {
      assertThat(watch).isNotNull();
      assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
    }
  }

  private static void untilAnotherWatchHasLooked() throws Exception {
    try (Exposition exposition = new Exposition();
        Watch other =
            Watch.start(
                TestServices.ledger(),
                Set.of(),
                new Watching(exposition.metrics(), Map.of(), Map.of()),
                QUICK)) {
      assertThat(other).isNotNull();
      while (!exposition.scrape().contains("tidemark_ledger_up 1.0")) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  // Two workers watch one ledger: each message is sent once
  @Test
  void twoWorkersTellOnce() throws Exception {
    Channel channel = (id, message) -> told.add(message.text());
    try (Watch one = watch(Map.of(name, channel));
        Watch other = watch(Map.of(name, channel))) {
      assertThat(one).isNotSameAs(other);
      assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
    }
    assertThat(told).isEmpty();
    assertThat(new Outbox(TestServices.ledger()).take(name)).isEmpty();
  }

  // A receiver that fails, or hangs, holds up no other, and is seen
  @Test
  void aChannelThatFailsIsSeenAndHoldsUpNoOther() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Channel broken =
        (id, message) -> {
          tries.incrementAndGet();
          throw new IOException("no route to host");
        };
    Channel hanging = (id, message) -> TimeUnit.HOURS.sleep(1);
    try (Exposition exposition = new Exposition();
        Watch watch =
            watch(
                exposition,
                Map.of(
                    name + "-broken",
                    broken,
                    name + "-hangs",
                    hanging,
                    name,
                    (id, message) -> told.add(message.text())))) {
      assertThat(watch).isNotNull();
      assertThat(told.poll(30, TimeUnit.SECONDS)).isNotNull();
      String failed =
          "tidemark_deliveries_total{channel=\"%s-broken\",outcome=\"failed\"} ".formatted(name);
      String waiting =
          "tidemark_notifications{channel=\"%s-broken\",state=\"waiting\"} 1.0".formatted(name);
      while (value(exposition, failed) == 0 || !exposition.scrape().contains(waiting)) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(tries.get()).as("it is not asked again and again").isBetween(1, 3);
    }
  }

  /** What a metric says; zero where it is not there yet. */
  private static double value(Exposition exposition, String metric) {
    return exposition
        .scrape()
        .lines()
        .filter(line -> line.startsWith(metric))
        .mapToDouble(line -> Double.parseDouble(line.substring(metric.length())))
        .sum();
  }

  private Watch watch(Map<String, Channel> channels) {
    return watch(new Exposition(), channels);
  }

  private Watch watch(Exposition exposition, Map<String, Channel> channels) {
    Routing all = new Routing(List.copyOf(channels.keySet()), List.of());
    return Watch.start(
        TestServices.ledger(),
        Set.of(name),
        new Watching(exposition.metrics(), channels, Map.of(name, all)),
        QUICK);
  }
}
