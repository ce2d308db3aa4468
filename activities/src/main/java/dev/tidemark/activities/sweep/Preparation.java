package dev.tidemark.activities.sweep;

import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.inputs.DetectorException;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.inputs.Observed;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the ledger up to date with the world before anything is decided: the expected set becomes
 * rows (A19), and what the inputs hold now is written down. What cannot be found out is never taken
 * for "nothing there": it is said, and work goes on with what is known.
 */
public final class Preparation {
  private static final Logger log = LoggerFactory.getLogger(Preparation.class);

  private final SliceSets sliceSets;
  private final ExpectedSet expectedSet;
  private final InputVersions inputVersions;
  private final Observations observations;
  private final LedgerReader reader;

  public Preparation(
      SliceSets sliceSets,
      ExpectedSet expectedSet,
      InputVersions inputVersions,
      Observations observations,
      LedgerReader reader) {
    this.sliceSets = sliceSets;
    this.expectedSet = expectedSet;
    this.inputVersions = inputVersions;
    this.observations = observations;
    this.reader = reader;
  }

  /**
   * What was found.
   *
   * @param now the one given, or the database's clock
   * @param closedThrough the newest closed window, empty if none is: nothing was done then
   */
  record Prepared(Instant now, Optional<Window> closedThrough) {}

  /**
   * Adds rows up to the newest closed window, and records the inputs' versions.
   *
   * @param given decides what is closed; null is the database's clock
   */
  Prepared prepare(RegisteredPipeline pipeline, @Nullable Instant given) {
    return prepare(pipeline, given, true);
  }

  /**
   * The same for a sweep. What closes during a pause gets its rows at the end of the pause, so that
   * the catch-up policy passes over it as it does after downtime (c-F3).
   */
  Prepared prepareSweep(RegisteredPipeline pipeline, @Nullable Instant given) {
    boolean catchesUpLater =
        pipeline.paused() && pipeline.definition().pace().catchUp() instanceof CatchUp.Newest;
    return prepare(pipeline, given, !catchesUpLater);
  }

  private Prepared prepare(
      RegisteredPipeline pipeline, @Nullable Instant given, boolean bringsUpToDate) {
    Instant scanBegan = observations.now();
    Instant now = given == null ? scanBegan : given;
    Optional<Window> closed = pipeline.definition().extent().closedThrough(now);
    if (closed.isPresent()) {
      List<ExpectedSlice> slices = slices(pipeline);
      if (bringsUpToDate) {
        expectedSet.bringUpTo(pipeline, slices, closed.get());
      }
      if (!pipeline.definition().inputs().isEmpty()) {
        observe(pipeline, slices, closed.get(), new InputVersions.AsOf(now, scanBegan));
      }
    }
    return new Prepared(now, closed);
  }

  /** Notes a push, for the next observation; returns of how many slices. */
  int push(RegisteredPipeline pipeline, InputChange change) {
    Map<String, String> slice = change.slice();
    return observations.push(
        pipeline,
        slice == null ? Slice.EMPTY : Slice.of(slice),
        change.partition(),
        change.version());
  }

  private List<ExpectedSlice> slices(RegisteredPipeline pipeline) {
    try {
      List<ExpectedSlice> found = sliceSets.expand(pipeline.definition());
      if (pipeline.definition().extent().slices().stream()
          .anyMatch(SliceSet.Query.class::isInstance)) {
        requireSameDimensions(found, reader.expectedSlices(pipeline));
      }
      return found;
    } catch (SQLException | IllegalArgumentException e) {
      log.warn(
          "{}: its slices cannot be found out ({}); what was expected so far stays so, "
              + "and the next sweep looks again",
          pipeline.name(),
          e.getMessage());
      return reader.expectedSlices(pipeline);
    }
  }

  /** What a query gives is known only now; a registration has checked what is written down. */
  private static void requireSameDimensions(List<ExpectedSlice> found, List<ExpectedSlice> known) {
    if (found.isEmpty() || known.isEmpty()) {
      return;
    }
    Set<String> now = found.get(0).slice().values().keySet();
    Set<String> before = known.get(0).slice().values().keySet();
    if (!now.equals(before)) {
      throw new IllegalArgumentException(
          "slices: the query gives the dimensions %s, and the pipeline's partitions have %s"
              .formatted(now, before));
    }
  }

  // The scan began, by the database's clock, before it read anything: what lands meanwhile is
  // newer.
  private void observe(
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      Window closed,
      InputVersions.AsOf at) {
    Optional<Instant> oldest =
        slices.stream().map(slice -> slice.since().start()).min(Instant::compareTo);
    if (oldest.isEmpty()) {
      return;
    }
    try {
      ChangeDetector.Range range =
          new ChangeDetector.Range(
              pipeline.name(),
              pipeline.definition().extent().partitions(),
              oldest.get(),
              closed.end(),
              null);
      if (observe(pipeline, slices, range, at)) {
        // What it waits for may have come before anybody could know that it waits.
        observe(pipeline, slices, range, new InputVersions.AsOf(at.now(), observations.now()));
      }
    } catch (DetectorException e) {
      log.warn(
          "{}: {}; planning goes on with the versions recorded before, and the next sweep looks again",
          pipeline.name(),
          e.getMessage());
    }
  }

  /** Whether a partition waits for an upstream, and that was news. */
  private boolean observe(
      RegisteredPipeline pipeline,
      List<ExpectedSlice> slices,
      ChangeDetector.Range range,
      InputVersions.AsOf at)
      throws DetectorException {
    Observed observed = inputVersions.observe(pipeline, range, at);
    AtomicBoolean waits = new AtomicBoolean();
    int changed =
        observations.record(
            pipeline,
            at.clock(),
            range.partitions().windows(range.from(), range.to()).stream()
                .flatMap(window -> seen(window, slices, observed))
                .peek(seen -> waits.compareAndSet(false, seen.waitsFor() != null)));
    return changed > 0 && waits.get();
  }

  private static Stream<Seen> seen(Window window, List<ExpectedSlice> slices, Observed observed) {
    return slices.stream()
        .filter(slice -> slice.has(window))
        .map(ExpectedSlice::slice)
        .map(
            slice ->
                Seen.of(
                    slice,
                    window.label(),
                    observed.version(window.label(), slice),
                    observed.hold(window.label(), slice)));
  }
}
