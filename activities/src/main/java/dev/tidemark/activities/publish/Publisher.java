package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the publication of an attempt's output in the store that its definition names. */
public final class Publisher {
  private static final Logger log = LoggerFactory.getLogger(Publisher.class);

  /** Beyond the task's timeout. */
  static final Duration ABANDONED = Duration.ofDays(1);

  private static final Duration BETWEEN_CLEANUPS = Duration.ofHours(1);

  private final Attempts attempts;
  private final Stores stores;
  private final Clock clock;
  private final String createdBy;
  private final Map<String, Instant> cleanups = new ConcurrentHashMap<>();

  /**
   * @param version of Tidemark, for manifests
   */
  public Publisher(Attempts attempts, Stores stores, Clock clock, String version) {
    this.attempts = attempts;
    this.stores = stores;
    this.clock = clock;
    this.createdBy = "tidemark " + version;
  }

  /** Opens the publication; nothing is written before the task asks for its folder. */
  public Publication open(Begun begun, OutputSpec output) {
    PipelineDefinition definition = begun.pipeline().definition();
    OutputPlaces.OutputPlace where =
        new OutputPlaces(definition, output, stores).of(begun.window(), begun.slice());
    OutputStore store = where.store();
    Layout layout = where.layout();
    removeAbandoned(store, layout, definition.task().timeout());
    StagingId id = where.staging(begun.window(), begun.token());
    return new Publication(new Publication.Place(where, id), attempts, begun, clock, createdBy);
  }

  /** Sometimes, since a killed worker cannot: what is old and nobody's (A-g1). */
  private void removeAbandoned(OutputStore store, Layout layout, Duration timeout) {
    Instant now = clock.instant();
    String area = store.address(layout.stagingArea().folder());
    Instant last = cleanups.putIfAbsent(area, now);
    // Of all attempts that begin at once, one cleans.
    boolean due =
        last == null
            || (!now.isBefore(last.plus(BETWEEN_CLEANUPS)) && cleanups.replace(area, last, now));
    if (!due) {
      return;
    }
    try {
      int removed = store.removeAbandoned(layout.stagingArea(), ABANDONED.plus(timeout));
      if (removed > 0) {
        log.info("removed {} abandoned stagings from {}", removed, area);
      }
    } catch (IOException e) {
      log.warn(
          "cannot remove abandoned stagings from {} ({}); tried again in an hour",
          area,
          e.toString());
    }
  }
}
