package dev.tidemark.activities.simulation;

import dev.tidemark.activities.simulation.Part.Backfill;
import dev.tidemark.activities.simulation.Part.Item;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.ExpectedSlices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pipeline as it should be, and the rules of what is due of it, written down once more. */
final class Model {
  PipelineDefinition definition;
  String fingerprint;
  boolean paused;
  @Nullable Instant floor;
  final List<Backfill> backfills = new ArrayList<>();

  /** By slice, then by start. */
  final Map<Slice, TreeMap<Instant, Part>> parts = new TreeMap<>();

  private Map<Slice, Instant> through = new HashMap<>();

  /** What builds on what is written down, by the preparation that first saw it stateful. */
  private boolean chained;

  Model(PipelineDefinition definition, String fingerprint) {
    this.definition = definition;
    this.fingerprint = fingerprint;
  }

  /** Why it may run. */
  enum Cause {
    MISSING,
    LOST_OUTPUT,
    LATE,
    LOOKBACK,
    CHAIN,
    STALE_DEFINITION
  }

  String name() {
    return definition.name();
  }

  Partitioning partitions() {
    return definition.extent().partitions();
  }

  private Integration integration() {
    return definition.integration();
  }

  boolean isReader() {
    return definition.inputs().stream().anyMatch(InputSpec.Upstream.class::isInstance);
  }

  List<Part> all() {
    return parts.values().stream()
        .flatMap(slice -> slice.values().stream())
        .sorted(Comparator.comparing(Part::start).thenComparing(part -> part.slice))
        .toList();
  }

  @Nullable Part part(Slice slice, Instant start) {
    return parts.getOrDefault(slice, new TreeMap<>()).get(start);
  }

  List<ExpectedSlice> slices() {
    return definition.extent().slices().isEmpty()
        ? ExpectedSlices.none(partitions())
        : ExpectedSlices.ofProducts(
            partitions(),
            definition.extent().slices().stream().map(SliceSet.Product.class::cast).toList());
  }

  @Nullable Window closed(Instant now) {
    return definition.extent().closedThrough(now).orElse(null);
  }

  // ---- the expected set

  /** A19: made anew from the definition; what closed is added, what is no more expected is kept. */
  void bringUp(Instant now) {
    Window closed = closed(now);
    if (closed == null) {
      return;
    }
    Instant kept = keptFrom(closed);
    Instant known = through.values().stream().max(Instant::compareTo).orElse(Instant.MIN);
    Map<Slice, Instant> reached = new HashMap<>();
    all().forEach(part -> part.expected = false);
    for (ExpectedSlice slice : slices()) {
      Instant since = slice.since().start();
      for (Window window : partitions().windows(since, closed.end())) {
        if (slice.has(window) && !window.start().isBefore(kept)) {
          expect(slice.slice(), window, skips(closed, known, window));
        }
      }
      Window until = slice.until();
      reached.put(
          slice.slice(),
          until != null && until.start().isBefore(closed.end()) ? until.start() : closed.end());
    }
    through = reached;
    chained = integration().stateful();
    link();
  }

  private Instant keptFrom(Window closed) {
    return definition.extent().keep() == null
        ? Instant.MIN
        : back(closed, definition.extent().keep());
  }

  private Instant back(Window closed, java.time.Period period) {
    return closed.start().atZone(partitions().zone()).minus(period).toInstant();
  }

  private boolean skips(Window closed, Instant known, Window window) {
    return definition.pace().catchUp() instanceof CatchUp.Newest newest
        && !window.start().isBefore(known)
        && window.start().isBefore(partitions().plus(closed, 1 - newest.windows()).start());
  }

  private void expect(Slice slice, Window window, boolean skipped) {
    TreeMap<Instant, Part> ofSlice = parts.computeIfAbsent(slice, key -> new TreeMap<>());
    Part part = ofSlice.get(window.start());
    if (part == null) {
      part = new Part(slice, window);
      part.skipped = skipped;
      part.noInput = !definition.inputs().isEmpty();
      ofSlice.put(window.start(), part);
    }
    part.expected = true;
  }

  /** Whether the definition has it, kept or not. */
  boolean defines(Part part) {
    return slices().stream()
        .anyMatch(slice -> slice.slice().equals(part.slice) && slice.has(part.window));
  }

  // ---- chains

  /** The commit of the window before it that counts; 0 for none, null without chains. */
  @Nullable Long before(Part part) {
    if (!chained) {
      return null;
    }
    return Objects.requireNonNull(parts.get(part.slice))
        .headMap(part.start(), false)
        .descendingMap()
        .values()
        .stream()
        .filter(earlier -> earlier.expected && !earlier.excused && !earlier.skipped)
        .findFirst()
        .map(earlier -> earlier.commit == null ? 0L : earlier.commit.token())
        .orElse(0L);
  }

  /** What does not know what it was built on goes by what is there. */
  void link() {
    if (!chained) {
      return;
    }
    for (Part part : all()) {
      if (part.commit != null
          && part.commit.predecessor() == null
          && part.expected
          && !part.excused
          && !part.skipped) {
        part.commit = part.commit.builtOn(before(part));
      }
    }
  }

  // ---- what is due

  Set<Cause> causes(Part part, Window closed) {
    Part.Commit commit = part.commit;
    if (commit == null) {
      return EnumSet.of(Cause.MISSING);
    }
    Set<Cause> causes = EnumSet.noneOf(Cause.class);
    if (part.outputLost) {
      causes.add(Cause.LOST_OUTPUT);
    }
    if (integration().frozen()) {
      return causes;
    }
    boolean accepted = integrates(part, closed);
    if (accepted && isLate(part)) {
      causes.add(Cause.LATE);
    }
    if (isLookedBack(part, commit, closed)) {
      causes.add(Cause.LOOKBACK);
    }
    if (accepted && isChained(part)) {
      causes.add(Cause.CHAIN);
    }
    if (integration().onDefinitionChange() == OnDefinitionChange.RERUN
        && !commit.fingerprint().equals(fingerprint)) {
      causes.add(Cause.STALE_DEFINITION);
    }
    return causes;
  }

  /** Whether late data of it is worked in. */
  boolean integrates(Part part, Window closed) {
    return !integration().frozen() && !part.start().isBefore(back(closed, integration().accept()));
  }

  static boolean isLate(Part part) {
    return part.commit != null
        && part.observed != null
        && !part.observed.equals(part.commit.version());
  }

  boolean isChained(Part part) {
    Long now = before(part);
    return integration().stateful()
        && part.commit != null
        && now != null
        && now > 0
        && part.commit.predecessor() != null
        && !now.equals(part.commit.predecessor());
  }

  private boolean isLookedBack(Part part, Part.Commit commit, Window closed) {
    for (int distance : integration().lookback()) {
      Instant asking = partitions().plus(part.window, distance).start();
      if (!asking.isAfter(closed.start())
          && asking.isAfter(commit.closedThrough())
          && (floor == null || asking.isAfter(floor))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHeldBack(Part part, Instant now) {
    return part.claim != null
        || !part.expected
        || part.excused
        || part.parked
        || part.noInput
        || isWaiting(part, now);
  }

  static boolean isWaiting(Part part, Instant now) {
    return part.waitsUntil != null && part.waitsUntil.isAfter(now);
  }

  /** Whether a claim may take it now; what else is live, and limits, are left out. */
  boolean isClaimable(Part part, Instant now, boolean onlyAsked) {
    Window closed = closed(now);
    if (closed == null || part.start().isAfter(closed.start()) || isHeldBack(part, now)) {
      return false;
    }
    if (integration().stateful() && (!chained || hasUnsettledBefore(part, closed))) {
      return false;
    }
    if (part.isAsked()) {
      return !isFrozen(part);
    }
    if (onlyAsked || paused || part.skipped) {
      return false;
    }
    Set<Cause> causes = causes(part, closed);
    return !causes.isEmpty() && !(causes.contains(Cause.MISSING) && isShutByLate(closed, now));
  }

  /** On something that nobody here can do: a predecessor or an upstream without its input. */
  boolean waitsForOthers(Part part, Instant now) {
    Window closed = closed(now);
    return part.held
        || (integration().stateful() && closed != null && hasUnsettledBefore(part, closed));
  }

  private boolean hasUnsettledBefore(Part part, Window closed) {
    return Objects.requireNonNull(parts.get(part.slice))
        .headMap(part.start(), false)
        .values()
        .stream()
        .anyMatch(earlier -> isUnsettled(earlier, closed));
  }

  private boolean isUnsettled(Part part, Window closed) {
    if (!part.counts() || part.start().isAfter(closed.start())) {
      return false;
    }
    return part.commit == null
        || part.claim != null
        || (part.isAsked() && !isFrozen(part))
        || !causes(part, closed).isEmpty();
  }

  /** C3: with a now given by hand, what is missing waits for all that is late. */
  boolean isShutByLate(Window closed, Instant now) {
    return integration().strategy() == Integration.Strategy.LATE_FIRST
        && !integration().stateful()
        && all().stream().anyMatch(part -> shuts(part, closed, now));
  }

  private boolean shuts(Part part, Window closed, Instant now) {
    if (part.commit == null || part.start().isAfter(closed.start())) {
      return false;
    }
    if (part.claim != null) {
      return part.claim.live
          && !part.claim.reason.equals("stale_definition")
          && !part.claim.reason.equals("lost_output");
    }
    Set<Cause> causes = causes(part, closed);
    return part.expected
        && !part.excused
        && !part.parked
        && !part.noInput
        && (!part.isAsked() || isWaiting(part, now))
        && (causes.contains(Cause.LATE) || causes.contains(Cause.LOOKBACK));
  }

  /** The newest committed window: what a lookback registered now does not redo. */
  @Nullable Instant newestCommitted() {
    return all().stream()
        .filter(part -> part.commit != null)
        .map(Part::start)
        .max(Instant::compareTo)
        .orElse(null);
  }

  // ---- requests

  /** What cannot run is no longer asked for; what runs of a cancelled backfill finishes. */
  void settleItems() {
    for (Backfill backfill : backfills) {
      backfill.items.forEach(item -> item.open = isLeft(item));
    }
  }

  /** Whether it stays open when the ledger looks at it. */
  boolean isLeft(Item item) {
    return item.open
        && (item.part.claim != null || (!item.backfill.cancelled && !isObstructed(item.part)));
  }

  boolean isObstructed(Part part) {
    return !part.expected || part.excused || (part.noInput && !part.held) || isFrozen(part);
  }

  /** What is frozen is not made again, but a lost output still heals. */
  private boolean isFrozen(Part part) {
    return integration().frozen() && part.commit != null && !part.outputLost;
  }

  long live() {
    return all().stream().filter(part -> part.claim != null).count();
  }
}
