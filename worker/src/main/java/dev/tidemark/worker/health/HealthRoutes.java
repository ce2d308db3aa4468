package dev.tidemark.worker.health;

import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a worker is alive, and whether its ledger answers. Two questions, since a ledger that is
 * away is no reason to start workers again: they wait for it by themselves. Anybody may ask;
 * nothing is said of the pipelines, and nobody waits: the ledger is asked in the background.
 */
public final class HealthRoutes implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HealthRoutes.class);
  private static final String TYPE = "text/plain; charset=utf-8";
  private static final int UNAVAILABLE = 503;
  private static final int PATIENCE_SECONDS = 2;
  private static final int PAUSE_SECONDS = 3;

  private final DataSource ledger;
  private final ScheduledExecutorService thread;
  private volatile boolean ready;

  private HealthRoutes(DataSource ledger) {
    this.ledger = ledger;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread made = new Thread(work, "tidemark-health");
              made.setDaemon(true);
              return made;
            });
  }

  /** Asks the ledger every few seconds, until it is closed; not ready before the first answer. */
  public static HealthRoutes watching(DataSource ledger) {
    HealthRoutes health = new HealthRoutes(ledger);
    // It ends with its thread.
    ScheduledFuture<?> unused =
        health.thread.scheduleWithFixedDelay(health::ask, 0, PAUSE_SECONDS, TimeUnit.SECONDS);
    return health;
  }

  /** {@code GET /health/live} and {@code GET /health/ready}. */
  public List<Route> routes() {
    return List.of(
        new Route(
            Method.GET, "/health/live", Need.NOTHING, request -> Response.text(TYPE, "alive\n")),
        new Route(Method.GET, "/health/ready", Need.NOTHING, request -> answer()));
  }

  private Response answer() {
    return ready
        ? Response.text(TYPE, "ready\n")
        : Response.text(TYPE, "the ledger does not answer\n").withStatus(UNAVAILABLE);
  }

  private void ask() {
    try (Connection connection = ledger.getConnection()) {
      ready = connection.isValid(PATIENCE_SECONDS);
    } catch (SQLException | RuntimeException e) {
      // Whatever it is: what ends this round must not end those after it.
      ready = false;
      log.info("not ready: the ledger does not answer", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
