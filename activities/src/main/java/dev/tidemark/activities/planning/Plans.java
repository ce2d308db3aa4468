package dev.tidemark.activities.planning;

import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.inputs.DetectorException;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.PartitionStory;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.InputHold;
import dev.tidemark.workflows.planning.ObservedVersions;
import dev.tidemark.workflows.planning.PartitionFacts;
import dev.tidemark.workflows.planning.Plan;
import dev.tidemark.workflows.planning.PlanInput;
import dev.tidemark.workflows.planning.PlannedPartition;
import dev.tidemark.workflows.planning.Planner;
import dev.tidemark.workflows.planning.Reason;
import dev.tidemark.workflows.planning.Reasons;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What would run, and why: reads the ledger and the inputs, and writes nothing. */
public final class Plans {
  private static final Logger log = LoggerFactory.getLogger(Plans.class);
  private static final int ATTEMPTS = 100;

  /** Explaining one partition puts as many as this in order, to see whether it comes in time. */
  private static final int MOST_RANKED = 200_000;

  private static final Set<Reason> LIMITS = Set.of(Reason.LIMIT_REACHED, Reason.ACCOUNT_LIMIT);

  private final LedgerReader reader;
  private final SliceSets sliceSets;
  private final InputVersions inputVersions;
  private final Outputs outputs;

  public Plans(
      LedgerReader reader, SliceSets sliceSets, InputVersions inputVersions, Outputs outputs) {
    this.reader = reader;
    this.sliceSets = sliceSets;
    this.inputVersions = inputVersions;
    this.outputs = outputs;
  }

  /** {@link #plan(RegisteredPipeline, Instant, Window, Window, Consumer)}, notices to the log. */
  public Plan plan(
      RegisteredPipeline pipeline,
      @Nullable Instant now,
      @Nullable Window from,
      @Nullable Window to) {
    return plan(pipeline, now, from, to, notice -> log.warn("{}: {}", pipeline.name(), notice));
  }

  /**
   * What a sweep would run, in that order; with a range also what it would not, and why.
   *
   * @param now decides what is closed; null is the database's clock
   * @param from the first window of the range, null for the pipeline's first
   * @param to the last one, inclusive; null for the newest closed one. Both null: no range
   * @param notices told what could not be found out; the plan goes by what was known before
   */
  public Plan plan(
      RegisteredPipeline pipeline,
      @Nullable Instant now,
      @Nullable Window from,
      @Nullable Window to,
      Consumer<String> notices) {
    sayWhatIsMissing(pipeline, notices);
    Instant clock = reader.now();
    Instant decides = now == null ? clock : now;
    Extent extent = pipeline.definition().extent();
    Instant first = extent.partitions().first().start();
    Instant closedEnd = extent.closedThrough(decides).map(Window::end).orElse(first);
    Instant end = to == null || to.end().isBefore(closedEnd) ? closedEnd : to.end();
    List<ExpectedSlice> slices = slices(pipeline, notices);
    List<PartitionFacts> facts = reader.facts(pipeline, first, end);
    PlanInput.Range range = from == null && to == null ? null : new PlanInput.Range(from, to);
    ObservedVersions observed =
        observe(
            pipeline,
            new ChangeDetector.Range(pipeline.name(), extent.partitions(), first, closedEnd, null),
            new InputVersions.AsOf(decides, clock),
            new RecordedVersions(facts),
            notices);
    return Planner.plan(
        new PlanInput(
            registration(reader, pipeline, reader.breakers(pipeline)),
            slices,
            facts,
            observed,
            decides,
            clock,
            range));
  }

  /**
   * Why one partition is due or not; answers for every window and slice, also those that cannot be.
   *
   * @param now decides what is closed; null is the database's clock
   */
  public Explanation explain(
      RegisteredPipeline pipeline, Window window, Slice slice, @Nullable Instant now) {
    List<String> notices = new ArrayList<>();
    sayWhatIsMissing(pipeline, notices::add);
    Instant clock = reader.now();
    Instant decides = now == null ? clock : now;
    List<ExpectedSlice> slices = slices(pipeline, notices::add);
    Optional<PartitionFacts> own = reader.facts(pipeline, slice, window.label());
    List<PartitionFacts> facts =
        dependsOnOthers(pipeline, own)
            ? reader.facts(
                pipeline, Instant.EPOCH, decides.isAfter(window.end()) ? decides : window.end())
            : own.stream().toList();
    RecordedVersions recorded = new RecordedVersions(facts);
    ObservedVersions observed =
        canHaveInput(pipeline, window, slice, slices)
            ? observe(
                pipeline,
                new ChangeDetector.Range(
                    pipeline.name(),
                    pipeline.definition().extent().partitions(),
                    window.start(),
                    window.end(),
                    slice),
                new InputVersions.AsOf(decides, clock),
                recorded,
                notices::add)
            : null;
    List<OpenBreaker> breakers = reader.breakers(pipeline);
    PlanInput input =
        new PlanInput(
            registration(reader, pipeline, breakers),
            slices,
            facts,
            observed,
            decides,
            clock,
            null);
    List<Reason> reasons = reasons(pipeline, input, now, window, slice, notices);
    Optional<PartitionStory> story = reader.story(pipeline, slice, window.label());
    Narrator narrator =
        new Narrator(
            new Narrator.Subject(pipeline, window, slice, decides),
            slices,
            own.orElse(null),
            story.orElse(null),
            observed == null ? recorded.version(window, slice) : observed.version(window, slice),
            new Narrator.Around(
                reasons.get(0) == Reason.UP_TO_DATE && reasons.contains(Reason.NO_INPUT),
                reasons.contains(Reason.WAITING_FOR_PREDECESSOR)
                    ? Reasons.predecessor(input, window, slice)
                    : null,
                waitsFor(observed, window, slice, story),
                breaker(pipeline, breakers, slice)));
    return explanation(
        pipeline,
        window,
        slice,
        story,
        reasons,
        new Timing(reader, pipeline, window, slice).at(decides, now == null, reasons),
        narrator,
        notices);
  }

  private static @Nullable OpenBreaker breaker(
      RegisteredPipeline pipeline, List<OpenBreaker> breakers, Slice slice) {
    String dimension = pipeline.definition().extent().account();
    String account = dimension == null ? null : slice.values().get(dimension);
    return breakers.stream()
        .filter(breaker -> breaker.shut() && breaker.account().equals(account))
        .findFirst()
        .orElse(null);
  }

  private static @Nullable String waitsFor(
      @Nullable ObservedVersions observed,
      Window window,
      Slice slice,
      Optional<PartitionStory> story) {
    if (observed == null) {
      return story.map(PartitionStory::waitsFor).orElse(null);
    }
    InputHold hold = observed.hold(window, slice);
    return hold == null ? null : hold.detail();
  }

  private Explanation explanation(
      RegisteredPipeline pipeline,
      Window window,
      Slice slice,
      Optional<PartitionStory> story,
      List<Reason> reasons,
      Explanation.Timeliness freshness,
      Narrator narrator,
      List<String> notices) {
    return new Explanation(
        pipeline.name(),
        window.label(),
        slice.values(),
        story.map(PartitionStory::state).orElse("never_attempted"),
        reasons.get(0).isDue(),
        reasons.stream().map(narrator::because).toList(),
        freshness,
        reader.attempts(pipeline, slice, window.label(), ATTEMPTS).stream()
            .map(Explanation.Attempt::of)
            .toList(),
        List.of(),
        notices);
  }

  /**
   * What a plan goes by, for saving it: of each partition that would run, also those that limits
   * leave to a later sweep, the version of its inputs now and its commit.
   */
  public List<Grounds> grounds(RegisteredPipeline pipeline, Plan plan, Consumer<String> notices) {
    List<PlannedPartition> due =
        plan.partitions().stream()
            .filter(line -> line.runs() || LIMITS.contains(line.reason()))
            .toList();
    if (due.isEmpty()) {
      return List.of();
    }
    TreeSet<Window> windows = new TreeSet<>();
    due.forEach(line -> windows.add(line.window()));
    Instant from = windows.first().start();
    Instant to = windows.last().end();
    List<PartitionFacts> facts = reader.facts(pipeline, from, to);
    Map<String, Long> tokens = new HashMap<>();
    for (PartitionFacts one : facts) {
      if (one.commit() != null) {
        tokens.put(key(one.window(), one.slice()), one.commit().token());
      }
    }
    RecordedVersions recorded = new RecordedVersions(facts);
    Partitioning partitions = pipeline.definition().extent().partitions();
    ObservedVersions observed =
        observe(
            pipeline,
            new ChangeDetector.Range(pipeline.name(), partitions, from, to, null),
            new InputVersions.AsOf(plan.now(), reader.now()),
            recorded,
            notices);
    return due.stream()
        .map(
            line ->
                new Grounds(
                    line,
                    observed == null
                        ? recorded.version(line.window(), line.slice())
                        : observed.version(line.window(), line.slice()),
                    tokens.get(key(line.window(), line.slice()))))
        .toList();
  }

  private static String key(Window window, Slice slice) {
    return window.label() + " " + slice.canonical();
  }

  /**
   * Why a partition is in a plan.
   *
   * @param inputVersion as just observed, null where unknown
   * @param committed token of its last commit, null if there is none
   */
  public record Grounds(
      PlannedPartition partition, @Nullable String inputVersion, @Nullable Long committed) {}

  private void sayWhatIsMissing(RegisteredPipeline pipeline, Consumer<String> notices) {
    outputs.missing(pipeline).ifPresent(missing -> notices.accept(missing.text(pipeline.name())));
  }

  /** The reasons; before them, which limit makes a due partition wait. */
  private List<Reason> reasons(
      RegisteredPipeline pipeline,
      PlanInput input,
      @Nullable Instant now,
      Window window,
      Slice slice,
      List<String> notices) {
    List<Reason> reasons = Reasons.of(input, window, slice, reader.liveClaims(pipeline));
    if (!reasons.get(0).isDue() || !mayExceedLimits(pipeline, input, notices)) {
      return reasons;
    }
    return plan(pipeline, now, window, window, notice -> {}).partitions().stream()
        .filter(planned -> planned.slice().equals(slice))
        .map(PlannedPartition::reason)
        .filter(reason -> reason == Reason.LIMIT_REACHED || reason == Reason.ACCOUNT_LIMIT)
        .findFirst()
        .map(limit -> Reasons.before(limit, reasons))
        .orElse(reasons);
  }

  /** Whether one sweep may leave partitions to a later one; worked out up to a bound. */
  private static boolean mayExceedLimits(
      RegisteredPipeline pipeline, PlanInput input, List<String> notices) {
    Limits limits = pipeline.definition().pace().limits();
    Extent extent = pipeline.definition().extent();
    Instant first = extent.partitions().first().start();
    Instant end = extent.closedThrough(input.now()).map(Window::end).orElse(first);
    long expected = (long) input.slices().size() * extent.partitions().windows(first, end).size();
    if (expected > MOST_RANKED) {
      notices.add(
          "of more than %d partitions it is not worked out whether a sweep's limits leave this one to a later sweep"
              .formatted(MOST_RANKED));
      return false;
    }
    return limits.perAccount() != null || expected > limits.partitions();
  }

  private static boolean canHaveInput(
      RegisteredPipeline pipeline, Window window, Slice slice, List<ExpectedSlice> slices) {
    return pipeline.definition().extent().partitions().contains(window)
        && slices.stream().anyMatch(expected -> expected.slice().equals(slice));
  }

  /** A gate, and the catch-up policy for what has no row, look at other partitions too. */
  private static boolean dependsOnOthers(
      RegisteredPipeline pipeline, Optional<PartitionFacts> own) {
    Integration integration = pipeline.definition().integration();
    return integration.stateful()
        || integration.strategy() == Integration.Strategy.LATE_FIRST
        || (own.isEmpty() && pipeline.definition().pace().catchUp() instanceof CatchUp.Newest);
  }

  /** A pipeline as its next claim finds it. */
  static PlanInput.Registration registration(
      LedgerReader reader, RegisteredPipeline pipeline, List<OpenBreaker> breakers) {
    return new PlanInput.Registration(
        pipeline.definition(),
        pipeline.fingerprint(),
        pipeline.paused(),
        pipeline.lookbackFloor(),
        Set.copyOf(OpenBreaker.shut(breakers)),
        Set.copyOf(OpenBreaker.accounts(breakers)),
        reader.turns(pipeline));
  }

  private List<ExpectedSlice> slices(RegisteredPipeline pipeline, Consumer<String> notices) {
    try {
      return sliceSets.expand(pipeline.definition());
    } catch (SQLException | IllegalArgumentException e) {
      notices.accept(
          "the slices cannot be found out (%s); this goes by those known before"
              .formatted(e.getMessage()));
      return reader.expectedSlices(pipeline);
    }
  }

  /** Null, so that the recorded versions count, where there are no inputs or they cannot tell. */
  private @Nullable ObservedVersions observe(
      RegisteredPipeline pipeline,
      ChangeDetector.Range range,
      InputVersions.AsOf at,
      RecordedVersions recorded,
      Consumer<String> notices) {
    if (pipeline.definition().inputs().isEmpty() || !range.from().isBefore(range.to())) {
      return null;
    }
    try {
      return new FreshVersions(inputVersions.observe(pipeline, range, at), recorded);
    } catch (DetectorException e) {
      notices.accept("%s; this goes by the versions recorded before".formatted(e.getMessage()));
      return null;
    }
  }
}
