package dev.tidemark.worker.alert;

import dev.tidemark.activities.alert.Alerts;
import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Outbox;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.worker.metrics.LedgerGauges;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the ledger for as long as a worker runs, whether anything else does: counts it, raises
 * alerts on this worker's own pipelines, and delivers messages. It works on threads of its own, and
 * what goes wrong here is said and tried again.
 */
public final class Watch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Watch.class);
  private static final Duration CLOSE = Duration.ofSeconds(2);

  private final Definitions definitions;
  private final Alerts alerts;
  private final Outbox outbox;
  private final LedgerGauges gauges;
  private final Watching watching;
  private final Set<String> own;
  private final ScheduledExecutorService threads;
  private final List<ScheduledFuture<?>> rounds = new ArrayList<>();

  private Watch(DataSource ledger, Set<String> own, Watching watching) {
    this.definitions = new Definitions(ledger);
    this.alerts = new Alerts(ledger);
    this.outbox = new Outbox(ledger);
    this.gauges = new LedgerGauges(ledger, watching.metrics(), watching.channels().keySet());
    this.watching = watching;
    this.own = Set.copyOf(own);
    AtomicInteger number = new AtomicInteger();
    // One for each channel: a slow one holds up no other.
    this.threads =
        Executors.newScheduledThreadPool(
            2 + watching.channels().size(),
            work -> {
              Thread thread = new Thread(work, "tidemark-watch-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts to watch. Where nobody would learn of it, it looks at nothing: an alert that was raised
   * and told to nobody would not be told by a worker that has channels.
   *
   * @param own names of the pipelines whose alerts are this worker's to raise
   */
  public static Watch start(DataSource ledger, Set<String> own, Watching watching, Rhythm rhythm) {
    Watch watch = new Watch(ledger, own, watching);
    if (!watching.isOfUse()) {
      return watch;
    }
    own.forEach(watching.metrics()::expect);
    watching.channels().keySet().forEach(watching.metrics()::expectChannel);
    watch.every(rhythm.look(), watch.gauges::refresh);
    watch.every(rhythm.look(), watch::look);
    watch.every(Duration.ofHours(1), watch.alerts::forget);
    watching
        .channels()
        .forEach(
            (name, channel) -> watch.every(rhythm.deliver(), () -> watch.deliver(name, channel)));
    return watch;
  }

  /**
   * How often.
   *
   * @param look for what is wrong, and at the ledger's numbers
   * @param deliver what waits
   */
  public record Rhythm(Duration look, Duration deliver) {
    public static final Rhythm DEFAULT = new Rhythm(Duration.ofSeconds(15), Duration.ofSeconds(3));
  }

  private void every(Duration pause, Runnable round) {
    rounds.add(
        threads.scheduleWithFixedDelay(
            () -> {
              try {
                round.run();
              } catch (RuntimeException e) {
                log.warn("cannot watch the ledger; tried again in {}", pause, e);
              }
            },
            0,
            pause.toMillis(),
            TimeUnit.MILLISECONDS));
  }

  private void look() {
    for (String name : own) {
      try {
        Optional<RegisteredPipeline> pipeline = definitions.find(name);
        if (pipeline.isPresent()) {
          alerts.look(pipeline.get(), slices(pipeline.get()), watching.route(name), null);
        }
      } catch (RuntimeException e) {
        // One that cannot be looked at must not hide what is wrong with the others.
        log.warn("cannot look for what is wrong with {}; tried again shortly", name, e);
      }
    }
  }

  /** As far as they are written down; those of a query are known once a sweep has planned. */
  private static List<ExpectedSlice> slices(RegisteredPipeline pipeline) {
    boolean isQuery =
        pipeline.definition().extent().slices().stream().anyMatch(SliceSet.Query.class::isInstance);
    try {
      return isQuery ? List.of() : new SliceSets(Connections.NONE).expand(pipeline.definition());
    } catch (SQLException e) {
      throw new IllegalStateException("slices that are written down need no database", e);
    }
  }

  private void deliver(String name, Channel channel) {
    Optional<Outbox.Letter> next = outbox.take(name);
    while (next.isPresent() && !Thread.currentThread().isInterrupted()) {
      deliver(name, channel, next.get());
      next = outbox.take(name);
    }
  }

  private void deliver(String name, Channel channel, Outbox.Letter letter) {
    try {
      channel.send(letter.id(), letter.message());
      outbox.sent(letter);
      watching.metrics().delivered(name, "sent");
    } catch (InterruptedException e) {
      // The worker stops: its lease passes, and another sends it.
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      boolean refused = e instanceof Channel.RefusedException;
      boolean givenUp = outbox.failed(letter, String.valueOf(e.getMessage()), refused);
      watching.metrics().delivered(name, givenUp ? "given_up" : "failed");
      log.warn(
          "channel '{}' was not told '{}' ({}); {}",
          name,
          letter.message().text(),
          e.getMessage(),
          givenUp ? "given up" : "tried again");
    }
  }

  @Override
  public void close() {
    rounds.forEach(round -> round.cancel(true));
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
        log.info("a message is still on its way; another worker sends it again if need be");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
