package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Lookback;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The question that the candidates answer: what is due of a pipeline, at a newest closed window.
 *
 * @param handNow a now given by hand, or null
 * @param retriesUntil a pause that ends later still holds; null is the database's clock
 * @param acceptFrom late windows that start before it are too late
 * @param missingThrough start of the newest window that may be made for the first time; null where
 *     none may
 */
record DueAt(
    RegisteredPipeline pipeline,
    Window closed,
    @Nullable Instant handNow,
    @Nullable Instant retriesUntil,
    Instant acceptFrom,
    Lookback lookback,
    @Nullable Instant missingThrough) {

  static DueAt of(
      RegisteredPipeline pipeline,
      Window closed,
      @Nullable Instant handNow,
      @Nullable Instant retriesUntil) {
    Integration integration = pipeline.definition().integration();
    var partitions = pipeline.definition().extent().partitions();
    Instant acceptFrom =
        closed.start().atZone(partitions.zone()).minus(integration.accept()).toInstant();
    Lookback lookback =
        !integration.frozen() && !integration.lookback().isEmpty()
            ? Lookback.at(partitions, integration.lookback(), closed, pipeline.lookbackFloor())
            : Lookback.NONE;
    return new DueAt(pipeline, closed, handNow, retriesUntil, acceptFrom, lookback, closed.start());
  }

  /** The same where what was never made has to wait, if it starts later; null: all of it. */
  DueAt withMissingThrough(@Nullable Instant newest) {
    return new DueAt(pipeline, closed, handNow, retriesUntil, acceptFrom, lookback, newest);
  }

  /** Whether late data and lookback are integrated at all. */
  private boolean late() {
    return !pipeline.definition().integration().frozen();
  }

  /** Whether what an older definition made is due. */
  boolean rerun() {
    return late()
        && pipeline.definition().integration().onDefinitionChange() == OnDefinitionChange.RERUN;
  }

  boolean stateful() {
    return pipeline.definition().integration().stateful();
  }

  /** Sets the parameters that every question about due rows has. */
  Sql.Call set(Sql.Call call) {
    return call.set("pipeline", pipeline.id())
        .set("closed", closed.start())
        .set("missing_through", missingThrough)
        .set("now", handNow)
        .set("retries_until", retriesUntil)
        .set("accept", acceptFrom)
        .set("late", late())
        .set("rerun", rerun())
        .set("fingerprint", pipeline.fingerprint())
        .set("lags", lookback.lags())
        .set("up_to", lookback.upTo())
        .set("distances", lookback.distances())
        .set("newest", lookback.newest())
        .set("after", lookback.after())
        .set("oldest", lookback.oldest());
  }
}
