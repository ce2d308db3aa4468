package dev.tidemark.worker.metrics;

import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.tidemark.activities.metrics.PartitionMetrics;
import dev.tidemark.activities.metrics.Trouble;
import dev.tidemark.workflows.foreign.ForeignActivities;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.sweep.Trigger;
import dev.tidemark.workflows.task.PartitionActivities;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a worker does, counted in a registry. */
public final class Metrics implements PartitionMetrics {
  private static final Logger log = LoggerFactory.getLogger(Metrics.class);
  private static final com.uber.m3.util.Duration REPORT = com.uber.m3.util.Duration.ofSeconds(5);

  private static final List<String> COUNTED =
      List.of(
          Names.CLAIMED,
          Names.ROWS,
          Names.BYTES,
          Names.LEASES_LOST,
          Names.FENCED,
          Names.STORE_ERRORS);
  private static final List<String> TIMED = List.of(Names.CLAIM, Names.ATTEMPT);

  /** How an attempt ends: as its claim does, or without the claim's end, or without any. */
  private static final List<String> OUTCOMES =
      Stream.concat(
              Arrays.stream(PartitionOutcome.Kind.values()).map(Metrics::label),
              Stream.of("retried", "timed_out", "unsettled"))
          .toList();

  private final MeterRegistry registry;
  private final boolean read;
  private final Map<String, GaugeTable> tables = new ConcurrentHashMap<>();
  private @Nullable LedgerReading reading;

  /**
   * @param registry an application's own, or that of an {@link Exposition}
   */
  public Metrics(MeterRegistry registry) {
    this(registry, true);
  }

  private Metrics(MeterRegistry registry, boolean read) {
    this.registry = registry;
    this.read = read;
  }

  /** For a process whose numbers nobody reads. */
  public static Metrics none() {
    return new Metrics(new SimpleMeterRegistry(), false);
  }

  /** Whether somebody may read them. */
  public boolean areRead() {
    return read;
  }

  MeterRegistry registry() {
    return registry;
  }

  /** The gauges of that name: the same ones for all that watch in this process. */
  GaugeTable table(String name, @Nullable String unit) {
    return tables.computeIfAbsent(name, key -> new GaugeTable(registry, key, unit));
  }

  /**
   * Of the ledger, for all that watch it in this process; nothing is shown before somebody does.
   */
  synchronized LedgerReading reading() {
    LedgerReading known = reading;
    if (known == null) {
      known = new LedgerReading(registry);
      reading = known;
    }
    return known;
  }

  /** Where the Temporal SDK puts its own; the caller closes it. */
  public Scope temporalScope() {
    return new RootScopeBuilder()
        .reporter(new MicrometerClientStatsReporter(registry))
        .reportEvery(REPORT);
  }

  /** Ends what {@link #temporalScope} began. */
  public static void close(@Nullable Scope scope) {
    if (scope != null) {
      try {
        scope.close();
      } catch (ScopeCloseException e) {
        log.debug("the last numbers of the Temporal client are not counted", e);
      }
    }
  }

  /** Counts what a pool does, if it is one of ours to look into. */
  public void watch(DataSource pool) {
    if (pool instanceof HikariDataSource hikari && hikari.getMetricsTrackerFactory() == null) {
      hikari.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
    }
  }

  /** The same activities, counted. */
  public LedgerActivities counting(LedgerActivities ledger) {
    return new CountedLedger(ledger, this);
  }

  /** The same activities, counted. */
  public PartitionActivities counting(PartitionActivities partitions) {
    return new CountedPartitions(partitions, this);
  }

  /** The same activities, counted. */
  public ForeignActivities counting(ForeignActivities foreign) {
    return new CountedForeign(foreign, this);
  }

  /** Times sweeps; does nothing to any other workflow. */
  public WorkerInterceptor sweeps() {
    return new SweepTimer(this);
  }

  @Override
  public void committed(String pipeline, @Nullable Long rows, @Nullable Long bytes) {
    add(Names.ROWS, pipeline, rows);
    add(Names.BYTES, pipeline, bytes);
  }

  private void add(String name, String pipeline, @Nullable Long amount) {
    if (amount != null) {
      registry.counter(name, Names.PIPELINE, pipeline).increment(amount);
    }
  }

  @Override
  public void troubled(String pipeline, Trouble trouble) {
    String name =
        switch (trouble) {
          case STORE -> Names.STORE_ERRORS;
          case LEASE_LOST -> Names.LEASES_LOST;
          case FENCED -> Names.FENCED;
        };
    registry.counter(name, Names.PIPELINE, pipeline).increment();
  }

  @Override
  public void scanned(String pipeline, boolean readable) {
    counter(Names.SCANS, pipeline, readable ? "ok" : "failed").increment();
  }

  /** So that a rate is known from the first of each on: what has not happened is 0, not absent. */
  public void expect(String pipeline) {
    OUTCOMES.forEach(outcome -> counter(Names.ATTEMPTS, pipeline, outcome));
    for (String outcome : List.of("ok", "failed")) {
      counter(Names.SCANS, pipeline, outcome);
      timer(Names.PLAN, pipeline, outcome);
    }
    for (Trigger trigger : Trigger.values()) {
      sweep(pipeline, trigger);
    }
    COUNTED.forEach(name -> registry.counter(name, Names.PIPELINE, pipeline));
    TIMED.forEach(name -> registry.timer(name, Names.PIPELINE, pipeline));
  }

  /** The same for a channel. */
  public void expectChannel(String channel) {
    List.of("sent", "failed", "given_up").forEach(outcome -> deliveries(channel, outcome));
  }

  /** A message was sent, or was not. */
  public void delivered(String channel, String outcome) {
    deliveries(channel, outcome).increment();
  }

  private Counter deliveries(String channel, String outcome) {
    return registry.counter(Names.DELIVERIES, Names.CHANNEL, channel, Names.OUTCOME, outcome);
  }

  void claimed(String pipeline, int partitions, Duration took) {
    registry.counter(Names.CLAIMED, Names.PIPELINE, pipeline).increment(partitions);
    registry.timer(Names.CLAIM, Names.PIPELINE, pipeline).record(took);
  }

  void planned(String pipeline, boolean done, Duration took) {
    timer(Names.PLAN, pipeline, done ? "ok" : "failed").record(took);
  }

  void ended(String pipeline, String outcome) {
    counter(Names.ATTEMPTS, pipeline, outcome).increment();
  }

  void ran(String pipeline, Duration took) {
    registry.timer(Names.ATTEMPT, Names.PIPELINE, pipeline).record(took);
  }

  void swept(String pipeline, Trigger trigger, Duration took) {
    sweep(pipeline, trigger).record(took);
  }

  private Timer sweep(String pipeline, Trigger trigger) {
    return registry.timer(
        Names.SWEEP,
        Names.PIPELINE,
        pipeline,
        Names.TRIGGER,
        trigger.name().toLowerCase(Locale.ROOT));
  }

  static String label(PartitionOutcome.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private Counter counter(String name, String pipeline, String outcome) {
    return registry.counter(name, Names.PIPELINE, pipeline, Names.OUTCOME, outcome);
  }

  private Timer timer(String name, String pipeline, String outcome) {
    return registry.timer(name, Names.PIPELINE, pipeline, Names.OUTCOME, outcome);
  }
}
