package dev.tidemark.activities.planning;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.PastRuns;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.planning.CascadeRules;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.PartitionFacts;
import dev.tidemark.workflows.planning.PlanInput;
import dev.tidemark.workflows.planning.PlannedPartition;
import dev.tidemark.workflows.planning.Reason;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows from new content, through all pipelines that read it (C24). Writes nothing. */
public final class Cascades {
  /** As many partitions of a pipeline are listed; more are only counted. */
  public static final int MOST_LISTED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(Cascades.class);

  private final LedgerReader reader;
  private final SliceSets sliceSets;
  private final PastRuns pastRuns;
  private final Readers readers;

  /**
   * @param pipelines all that may read
   */
  public Cascades(
      LedgerReader reader,
      SliceSets sliceSets,
      PastRuns pastRuns,
      Collection<RegisteredPipeline> pipelines) {
    this.reader = reader;
    this.sliceSets = sliceSets;
    this.pastRuns = pastRuns;
    this.readers = new Readers(pipelines);
  }

  /**
   * One pipeline of a cascade.
   *
   * @param runs how many partitions would run
   * @param skips how many would not, by reason
   * @param estimate of all of them, from the median of past attempts; null where there are none
   * @param partitions in window order, at most {@link #MOST_LISTED}
   */
  public record Step(
      String pipeline,
      int runs,
      SortedMap<String, Integer> skips,
      @Nullable Duration estimate,
      List<PlannedPartition> partitions) {}

  /** Partitions of one pipeline, by window. */
  private static final class Affected {
    private final TreeMap<Window, TreeSet<Slice>> slices = new TreeMap<>();

    void add(Window window, Slice slice) {
      slices.computeIfAbsent(window, key -> new TreeSet<>()).add(slice);
    }
  }

  /**
   * What would run below a pipeline if these of its partitions got new content: each pipeline after
   * all that it reads. Where slices cannot be found out, those known before decide.
   */
  public List<Step> below(RegisteredPipeline root, List<PlannedPartition> changed, Instant now) {
    Map<String, Affected> affected = new HashMap<>();
    Affected first = affected.computeIfAbsent(root.name(), name -> new Affected());
    changed.forEach(partition -> first.add(partition.window(), partition.slice()));
    List<Step> steps = new ArrayList<>();
    for (RegisteredPipeline pipeline : readers.below(root.name())) {
      steps.add(step(pipeline, affected, now));
    }
    return steps;
  }

  private Step step(RegisteredPipeline pipeline, Map<String, Affected> affected, Instant now) {
    List<ExpectedSlice> slices = slices(pipeline);
    Affected reached = reached(pipeline, slices, affected);
    Affected runs = affected.computeIfAbsent(pipeline.name(), name -> new Affected());
    SortedMap<String, Integer> skips = new TreeMap<>();
    List<PlannedPartition> listed = new ArrayList<>();
    Judge judge = judge(pipeline, slices, reached, now);
    int count = 0;
    for (Map.Entry<Window, TreeSet<Slice>> at : reached.slices.entrySet()) {
      for (Slice slice : at.getValue()) {
        Reason reason = judge.reason(at.getKey(), slice);
        if (reason.isDue()) {
          runs.add(at.getKey(), slice);
          count++;
        } else {
          skips.merge(reason.code(), 1, Integer::sum);
        }
        if (listed.size() < MOST_LISTED) {
          listed.add(new PlannedPartition(at.getKey(), slice, reason));
        }
      }
    }
    return new Step(pipeline.name(), count, skips, estimate(pipeline, count), listed);
  }

  private static Affected reached(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, Map<String, Affected> affected) {
    Partitioning own = pipeline.definition().extent().partitions();
    Affected reached = new Affected();
    for (InputSpec.Upstream input : Readers.upstreams(pipeline)) {
      Affected upstream = affected.get(input.pipeline());
      if (upstream != null) {
        upstream.slices.forEach(
            (window, ofUpstream) ->
                windows(input.mapping(), window, own)
                    .forEach(
                        reading ->
                            slices.stream()
                                .filter(expected -> expected.has(reading))
                                .map(ExpectedSlice::slice)
                                .filter(slice -> ofUpstream.stream().anyMatch(slice::agreesWith))
                                .forEach(slice -> reached.add(reading, slice))));
      }
    }
    return reached;
  }

  private static List<Window> windows(Mapping mapping, Window upstream, Partitioning own) {
    return mapping
        .downstreamOf(upstream, own)
        .map(span -> own.windows(span.first().start(), span.last().end()))
        .orElse(List.of());
  }

  /** Says of a partition that is reached why it runs or not. */
  @FunctionalInterface
  private interface Judge {
    Reason reason(Window window, Slice slice);
  }

  private Judge judge(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, Affected reached, Instant now) {
    if (reached.slices.isEmpty()) {
      return (window, slice) -> Reason.UP_TO_DATE;
    }
    Map<Window, Map<Slice, PartitionFacts>> known = new HashMap<>();
    List<PartitionFacts> facts =
        reader.facts(pipeline, reached.slices.firstKey().start(), reached.slices.lastKey().end());
    facts.forEach(
        one -> known.computeIfAbsent(one.window(), key -> new HashMap<>()).put(one.slice(), one));
    CascadeRules rules =
        new CascadeRules(
            new PlanInput(
                Plans.registration(reader, pipeline, reader.breakers(pipeline)),
                slices,
                facts,
                null,
                now,
                reader.now(),
                null));
    return (window, slice) ->
        rules.reason(window, slice, known.getOrDefault(window, Map.of()).get(slice));
  }

  private @Nullable Duration estimate(RegisteredPipeline pipeline, int partitions) {
    int parallel = pipeline.definition().pace().limits().parallel();
    int rounds = (partitions + parallel - 1) / parallel;
    return pastRuns.median(pipeline).map(median -> median.multipliedBy(rounds)).orElse(null);
  }

  /** The windows of a pipeline that a range reaches, both inclusive. */
  public record Reached(RegisteredPipeline pipeline, Window from, Window to) {}

  /**
   * The closed windows below a pipeline that read, over any number of steps, a range of it: each
   * pipeline after all that it reads.
   *
   * @param now decides what is closed
   */
  public List<Reached> reach(RegisteredPipeline root, Window from, Window to, Instant now) {
    Map<String, Mapping.Span> spans = new HashMap<>();
    spans.put(root.name(), new Mapping.Span(from, to));
    List<Reached> reached = new ArrayList<>();
    for (RegisteredPipeline pipeline : readers.below(root.name())) {
      var extent = pipeline.definition().extent();
      List<Window> ends = new ArrayList<>();
      for (InputSpec.Upstream input : Readers.upstreams(pipeline)) {
        Mapping.Span span = spans.get(input.pipeline());
        if (span != null) {
          ends.add(edge(input.mapping(), span.first(), extent.partitions()).first());
          ends.add(edge(input.mapping(), span.last(), extent.partitions()).last());
        }
      }
      TreeSet<Window> sorted = new TreeSet<>(ends);
      Window closed = extent.closedThrough(now).orElse(null);
      if (sorted.isEmpty() || closed == null) {
        continue;
      }
      Window first = later(sorted.first(), extent.partitions().first());
      Window last = sorted.last().compareTo(closed) > 0 ? closed : sorted.last();
      if (first.compareTo(last) <= 0) {
        spans.put(pipeline.name(), new Mapping.Span(first, last));
        reached.add(new Reached(pipeline, first, last));
      }
    }
    return reached;
  }

  /**
   * What a choice of slices above means for a pipeline below: of the dimensions that are chosen by,
   * those that it has. Where its slices cannot be found out, those known before decide.
   *
   * @param chosen null for every slice
   * @return empty where none of its slices agrees
   */
  public Optional<Slice> narrowed(RegisteredPipeline below, @Nullable Map<String, String> chosen) {
    List<ExpectedSlice> slices = slices(below);
    Map<String, String> kept = new TreeMap<>(chosen == null ? Map.of() : chosen);
    kept.keySet()
        .retainAll(
            slices.stream()
                .findFirst()
                .map(expected -> expected.slice().values().keySet())
                .orElse(Set.of()));
    Slice filter = Slice.of(kept);
    return slices.stream().anyMatch(expected -> expected.slice().agreesWith(filter))
        ? Optional.of(filter)
        : Optional.empty();
  }

  private List<ExpectedSlice> slices(RegisteredPipeline pipeline) {
    try {
      return sliceSets.expand(pipeline.definition());
    } catch (SQLException | IllegalArgumentException e) {
      log.warn(
          "{}: its slices cannot be found out ({}); what follows goes by those known before",
          pipeline.name(),
          e.getMessage());
      return reader.expectedSlices(pipeline);
    }
  }

  private static Mapping.Span edge(Mapping mapping, Window upstream, Partitioning own) {
    Window around = own.containing(upstream.start());
    return mapping.downstreamOf(upstream, own).orElse(new Mapping.Span(around, around));
  }

  private static Window later(Window one, Window other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /** What reads a partition directly. */
  public List<Explanation.Dependent> dependents(RegisteredPipeline root, Window window) {
    List<Explanation.Dependent> dependents = new ArrayList<>();
    for (RegisteredPipeline pipeline : readers.of(root.name())) {
      Partitioning own = pipeline.definition().extent().partitions();
      for (InputSpec.Upstream input : Readers.upstreams(pipeline)) {
        List<Window> windows =
            input.pipeline().equals(root.name())
                ? windows(input.mapping(), window, own)
                : List.of();
        if (!windows.isEmpty()) {
          dependents.add(
              new Explanation.Dependent(
                  pipeline.name(),
                  windows.get(0).label(),
                  windows.get(windows.size() - 1).label(),
                  windows.size()));
        }
      }
    }
    return dependents;
  }
}
