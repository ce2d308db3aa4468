package dev.tidemark.worker.metrics;

import dev.tidemark.activities.alert.AlertRule;
import dev.tidemark.activities.alert.Outbox;
import dev.tidemark.activities.index.health.ObjectHealth;
import dev.tidemark.activities.ledger.census.Census;
import dev.tidemark.activities.ledger.census.PipelineCensus;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.workflows.pipeline.Wake;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
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

  private static final Set<String> SECONDS =
      Set.of(Names.HOLE_AGE, Names.SWEEP_AGE, Names.SWEEP_INTERVAL);

  private final Census census;
  private final Outbox outbox;
  private final ObjectHealth objects;
  private final Timer reading;
  private final List<String> channels;
  private final Metrics metrics;
  private final LedgerReading answer;
  private volatile long notBefore = System.nanoTime();

  /**
   * @param channels those that a count is shown of also while there is nothing for them
   */
  public LedgerGauges(DataSource ledger, Metrics metrics, Set<String> channels) {
    this.channels = List.copyOf(channels);
    this.census = new Census(ledger);
    this.outbox = new Outbox(ledger);
    this.objects = new ObjectHealth(ledger);
    this.metrics = metrics;
    this.reading = metrics.registry().timer(Names.CENSUS);
    this.answer = metrics.reading();
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
      List<ObjectHealth.Of> types = objects.all();
      show(pipelines, notifications);
      new ObjectGauges(metrics).show(types);
      reading.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      answer.ended(true);
    } catch (RuntimeException e) {
      answer.ended(false);
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
    put(Names.HOLE_AGE, pipelines, one -> row(one, (double) one.backlog().hole().toSeconds()));
    put(Names.FRESHNESS, pipelines, LedgerGauges::freshness);
    put(Names.ALERTS, pipelines, LedgerGauges::alerts);
    put(Names.PAUSED, pipelines, one -> row(one, one.pipeline().paused() ? 1 : 0));
    put(Names.SWEEP_AGE, pipelines, LedgerGauges::sweepAge);
    put(Names.SWEEP_INTERVAL, pipelines, LedgerGauges::sweepInterval);
    metrics.table(Names.NOTIFICATIONS, null).show(notifications(notifications));
  }

  private Map<Tags, Double> notifications(List<Outbox.Count> counts) {
    Map<Tags, Double> rows = new LinkedHashMap<>();
    for (String channel : channels) {
      rows.put(channelTags(channel, "waiting"), 0.0);
      rows.put(channelTags(channel, "given_up"), 0.0);
    }
    counts.forEach(
        count -> rows.put(channelTags(count.channel(), count.state()), (double) count.messages()));
    return rows;
  }

  private static Tags channelTags(String channel, String state) {
    return Tags.of(Names.CHANNEL, channel, Names.STATE, state);
  }

  private void put(
      String name,
      List<PipelineCensus> pipelines,
      Function<PipelineCensus, Map<Tags, Double>> rows) {
    Map<Tags, Double> all = new LinkedHashMap<>();
    pipelines.forEach(one -> all.putAll(rows.apply(one)));
    metrics.table(name, SECONDS.contains(name) ? "seconds" : null).show(all);
  }

  private static Map<Tags, Double> row(PipelineCensus one, double value) {
    return Map.of(tags(one), value);
  }

  private static Tags tags(PipelineCensus one) {
    return Tags.of(Names.PIPELINE, one.pipeline().name());
  }

  private static Map<Tags, Double> states(PipelineCensus one) {
    Map<Tags, Double> rows = new LinkedHashMap<>();
    one.states()
        .forEach((state, count) -> rows.put(tags(one).and(Names.STATE, state), (double) count));
    return rows;
  }

  private static Map<Tags, Double> freshness(PipelineCensus one) {
    Map<Tags, Double> rows = new LinkedHashMap<>();
    for (Freshness state : Freshness.values()) {
      rows.put(tags(one).and(Names.STATE, state.label()), one.freshness() == state ? 1.0 : 0.0);
    }
    return rows;
  }

  private static Map<Tags, Double> alerts(PipelineCensus one) {
    Map<Tags, Double> rows = new LinkedHashMap<>();
    for (AlertRule rule : AlertRule.values()) {
      rows.put(
          tags(one).and(Names.RULE, rule.label()),
          (double) one.alerts().getOrDefault(rule.label(), 0));
    }
    return rows;
  }

  private static Map<Tags, Double> sweepAge(PipelineCensus one) {
    Duration age = one.sweepAge();
    return age == null ? Map.of() : row(one, (double) age.toSeconds());
  }

  /** A cron expression has no one interval. */
  private static Map<Tags, Double> sweepInterval(PipelineCensus one) {
    return one.pipeline().definition().pace().sweep() instanceof Wake.Every every
        ? row(one, (double) every.interval().toSeconds())
        : Map.of();
  }
}
