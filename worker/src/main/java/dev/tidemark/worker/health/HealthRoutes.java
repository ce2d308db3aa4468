package dev.tidemark.worker.health;

import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a worker is alive, and whether its ledger answers. Two questions, since a ledger that is
 * away is no reason to start workers again: they wait for it by themselves. Anybody may ask;
 * nothing is said of the pipelines.
 */
public final class HealthRoutes {
  private static final Logger log = LoggerFactory.getLogger(HealthRoutes.class);
  private static final String TYPE = "text/plain; charset=utf-8";
  private static final int UNAVAILABLE = 503;

  /** Shorter than the patience of a probe. */
  private static final int PATIENCE_SECONDS = 2;

  private final DataSource ledger;

  public HealthRoutes(DataSource ledger) {
    this.ledger = ledger;
  }

  /** {@code GET /health/live} and {@code GET /health/ready}. */
  public List<Route> routes() {
    return List.of(
        new Route(
            Method.GET, "/health/live", Need.NOTHING, request -> Response.text(TYPE, "alive\n")),
        new Route(Method.GET, "/health/ready", Need.NOTHING, request -> ready()));
  }

  private Response ready() {
    return ledgerAnswers()
        ? Response.text(TYPE, "ready\n")
        : Response.text(TYPE, "the ledger does not answer\n").withStatus(UNAVAILABLE);
  }

  private boolean ledgerAnswers() {
    try (Connection connection = ledger.getConnection()) {
      return connection.isValid(PATIENCE_SECONDS);
    } catch (SQLException e) {
      log.info("not ready: the ledger does not answer", e);
      return false;
    }
  }
}
