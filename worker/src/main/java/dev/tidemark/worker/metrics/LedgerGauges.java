package dev.tidemark.worker.metrics;

import dev.tidemark.activities.alert.AlertRule;
import dev.tidemark.activities.alert.Outbox;
import dev.tidemark.activities.ledger.census.Census;
import dev.tidemark.activities.ledger.census.PipelineCensus;
import dev.tidemark.activities.ledger.database.LedgerException;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.workflows.pipeline.Wake;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger in numbers. They are read in the background and shown as they were last, so that no
 * scrape waits for the database and none costs anything; reading never takes more than a hundredth
 * of the time.
 */
public final class LedgerGauges {
  private static final Logger log = LoggerFactory.getLogger(LedgerGauges.class);

  /** How much longer than it takes to read is waited before it is read again. */
  private static final int REST = 100;

  private final Census census;
  private final Outbox outbox;
  private final Timer reading;
  private final List<String> channels;
  private final Map<String, MultiGauge> gauges = new LinkedHashMap<>();
  private volatile long readAt = System.nanoTime();
  private volatile boolean up;
  private volatile long notBefore = System.nanoTime();

  /**
   * @param channels those that a count is shown of also while there is nothing for them
   */
  public LedgerGauges(DataSource ledger, Metrics metrics, Set<String> channels) {
    this.channels = List.copyOf(channels);
    MeterRegistry registry = metrics.registry();
    this.census = new Census(ledger);
    this.outbox = new Outbox(ledger);
    this.reading = registry.timer(Names.CENSUS);
    for (String name :
        List.of(
            Names.PARTITIONS,
            Names.DUE,
            Names.LATE,
            Names.OVERDUE,
            Names.FRESHNESS,
            Names.ALERTS,
            Names.PAUSED,
            Names.NOTIFICATIONS)) {
      gauges.put(name, MultiGauge.builder(name).register(registry));
    }
    for (String name : List.of(Names.HOLE_AGE, Names.SWEEP_AGE, Names.SWEEP_INTERVAL)) {
      gauges.put(name, MultiGauge.builder(name).baseUnit("seconds").register(registry));
    }
    Gauge.builder(Names.LEDGER_UP, () -> up ? 1 : 0).register(registry);
    TimeGauge.builder("tidemark.census.age", () -> System.nanoTime() - readAt, TimeUnit.NANOSECONDS)
        .register(registry);
  }

  /** Reads the ledger again, if that is due; a ledger that does not answer is shown as such. */
  public void refresh() {
    long began = System.nanoTime();
    if (began - notBefore < 0) {
      return;
    }
    try {
      List<PipelineCensus> pipelines = census.take();
      List<Outbox.Count> notifications = outbox.counts();
      up = true;
      show(pipelines, notifications);
      readAt = System.nanoTime();
      reading.record(readAt - began, TimeUnit.NANOSECONDS);
    } catch (LedgerException e) {
      up = false;
      log.warn("cannot count what the ledger holds; its metrics stay as they were", e);
    }
    long now = System.nanoTime();
    notBefore = now + REST * (now - began);
  }

  private void show(List<PipelineCensus> pipelines, List<Outbox.Count> notifications) {
    put(Names.PARTITIONS, pipelines, LedgerGauges::states);
    put(Names.DUE, pipelines, one -> row(one, one.backlog().due()));
    put(Names.LATE, pipelines, one -> row(one, one.backlog().late()));
    put(Names.OVERDUE, pipelines, one -> row(one, one.backlog().overdue()));
    put(Names.HOLE_AGE, pipelines, one -> row(one, one.backlog().hole().toSeconds()));
    put(Names.FRESHNESS, pipelines, LedgerGauges::freshness);
    put(Names.ALERTS, pipelines, LedgerGauges::alerts);
    put(Names.PAUSED, pipelines, one -> row(one, one.pipeline().paused() ? 1 : 0));
    put(Names.SWEEP_AGE, pipelines, LedgerGauges::sweepAge);
    put(Names.SWEEP_INTERVAL, pipelines, LedgerGauges::sweepInterval);
    gauge(Names.NOTIFICATIONS).register(notifications(notifications), true);
  }

  private List<Row<?>> notifications(List<Outbox.Count> counts) {
    Map<Tags, Integer> rows = new LinkedHashMap<>();
    for (String channel : channels) {
      rows.put(channelTags(channel, "waiting"), 0);
      rows.put(channelTags(channel, "given_up"), 0);
    }
    counts.forEach(
        count -> rows.put(channelTags(count.channel(), count.state()), count.messages()));
    List<Row<?>> shown = new ArrayList<>();
    rows.forEach((tags, messages) -> shown.add(Row.of(tags, messages)));
    return shown;
  }

  private static Tags channelTags(String channel, String state) {
    return Tags.of(Names.CHANNEL, channel, Names.STATE, state);
  }

  private void put(
      String name, List<PipelineCensus> pipelines, Function<PipelineCensus, List<Row<?>>> rows) {
    gauge(name)
        .register(pipelines.stream().flatMap(one -> rows.apply(one).stream()).toList(), true);
  }

  private MultiGauge gauge(String name) {
    MultiGauge gauge = gauges.get(name);
    if (gauge == null) {
      throw new IllegalStateException("no gauge " + name);
    }
    return gauge;
  }

  private static List<Row<?>> row(PipelineCensus one, Number value) {
    return List.of(Row.of(tags(one), value));
  }

  private static Tags tags(PipelineCensus one) {
    return Tags.of(Names.PIPELINE, one.pipeline().name());
  }

  private static List<Row<?>> states(PipelineCensus one) {
    List<Row<?>> rows = new ArrayList<>();
    one.states()
        .forEach((state, count) -> rows.add(Row.of(tags(one).and(Names.STATE, state), count)));
    return rows;
  }

  private static List<Row<?>> freshness(PipelineCensus one) {
    List<Row<?>> rows = new ArrayList<>();
    for (Freshness state : Freshness.values()) {
      rows.add(Row.of(tags(one).and(Names.STATE, state.label()), one.freshness() == state ? 1 : 0));
    }
    return rows;
  }

  private static List<Row<?>> alerts(PipelineCensus one) {
    List<Row<?>> rows = new ArrayList<>();
    for (AlertRule rule : AlertRule.values()) {
      rows.add(
          Row.of(
              tags(one).and(Names.RULE, rule.label()), one.alerts().getOrDefault(rule.label(), 0)));
    }
    return rows;
  }

  private static List<Row<?>> sweepAge(PipelineCensus one) {
    Duration age = one.sweepAge();
    return age == null ? List.of() : row(one, age.toSeconds());
  }

  /** A cron expression has no one interval. */
  private static List<Row<?>> sweepInterval(PipelineCensus one) {
    return one.pipeline().definition().pace().sweep() instanceof Wake.Every every
        ? row(one, every.interval().toSeconds())
        : List.of();
  }
}
