package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Works out what is due, anew each time, from the expected set and what is recorded of it (A19,
 * A27). A pure function: no clock, no IO; sorted and bounded output.
 */
public final class Planner {

  /**
   * What a sweep would run, in that order: asked for by a person first, then as the strategy says,
   * then by window, then by slice; accounts in turns, each in that order; no more than the limits
   * allow. With a range, what would not run follows, each with its reason.
   */
  public static Plan plan(PlanInput input) {
    Dueness dueness = new Dueness(input);
    List<Line> due = new ArrayList<>();
    List<PlannedPartition> skipped = new ArrayList<>();
    for (Line line : lines(input, dueness)) {
      if (line.reason().isDue()) {
        due.add(line);
      } else {
        skipped.add(line.planned(line.reason()));
      }
    }
    due.sort(order(input.definition()));
    due = inTurns(due, input);
    skipped.sort(bySkipped(input.definition().pace().order()));
    // The limits count what is outside the range too: a sweep does not know of it.
    List<PlannedPartition> planned = new ArrayList<>(limited(due, input));
    planned.addAll(skipped);
    PlanInput.Range range = input.range();
    planned.removeIf(
        partition -> range == null ? !partition.runs() : !range.contains(partition.window()));
    return new Plan(
        input.definition().name(), input.now(), dueness.closedThrough(), held(skipped), planned);
  }

  private static int held(List<PlannedPartition> skipped) {
    return (int) skipped.stream().filter(line -> line.reason() == Reason.DEFINITION_ASK).count();
  }

  private record Line(Window window, Slice slice, List<Reason> reasons) {
    Reason reason() {
      return reasons.get(0);
    }

    boolean isAsked() {
      return reasons.contains(Reason.REQUESTED);
    }

    boolean isNew() {
      return reasons.contains(Reason.MISSING);
    }

    PlannedPartition planned(Reason reason) {
      return new PlannedPartition(window, slice, reason);
    }
  }

  private static List<Line> lines(PlanInput input, Dueness dueness) {
    FactsIndex facts = FactsIndex.of(input.facts());
    List<Window> windows = windows(input, dueness.closedThrough());
    List<Line> lines = new ArrayList<>();
    for (ExpectedSlice expected : input.slices()) {
      for (Window window : windows) {
        Slice slice = expected.slice();
        List<Reason> reasons = dueness.reasons(window, slice, facts.get(window, slice));
        Reason first = reasons.get(0);
        if (first.isDue() || first == Reason.DEFINITION_ASK || isListed(window, input.range())) {
          lines.add(new Line(window, slice, reasons));
        }
      }
    }
    if (input.range() != null) {
      lines.addAll(unexpected(input, dueness));
    }
    return lines;
  }

  private static boolean isListed(Window window, PlanInput.@Nullable Range range) {
    return range != null && range.contains(window);
  }

  /** Oldest first: up to the newest closed one, and those of the range before and after. */
  private static List<Window> windows(PlanInput input, @Nullable Window closedThrough) {
    Partitioning partitions = input.partitions();
    Instant first = partitions.first().start();
    Instant end = closedThrough == null ? first : closedThrough.end();
    PlanInput.Range range = input.range();
    List<Window> windows = new ArrayList<>();
    if (range != null && range.from() != null && range.from().start().isBefore(first)) {
      windows.addAll(partitions.windows(range.from().start(), first));
    }
    windows.addAll(partitions.windows(first, end));
    if (range != null && range.to() != null && range.to().end().isAfter(end)) {
      Window from = range.from();
      Instant after = from == null || from.start().isBefore(end) ? end : from.start();
      windows.addAll(partitions.windows(after, range.to().end()));
    }
    return windows;
  }

  /** What has a row in the range, though the definition has no such slice any more. */
  private static List<Line> unexpected(PlanInput input, Dueness dueness) {
    Set<Slice> slices =
        input.slices().stream().map(ExpectedSlice::slice).collect(Collectors.toSet());
    return input.facts().stream()
        .filter(facts -> isListed(facts.window(), input.range()))
        .filter(facts -> !slices.contains(facts.slice()))
        .map(
            facts ->
                new Line(
                    facts.window(),
                    facts.slice(),
                    dueness.reasons(facts.window(), facts.slice(), facts)))
        .toList();
  }

  /** From whose turn is next, as the next claim would; what was only asked for is among them. */
  private static List<Line> inTurns(List<Line> due, PlanInput input) {
    return input
        .registration()
        .turns()
        .ordered(due, line -> account(line.slice(), input.definition()));
  }

  /** Limits cut work into cycles and never change the result (A32). */
  private static List<PlannedPartition> limited(List<Line> due, PlanInput input) {
    PipelineDefinition definition = input.definition();
    Limits limits = definition.pace().limits();
    Map<String, Integer> byAccount = new HashMap<>();
    List<PlannedPartition> planned = new ArrayList<>();
    int running = 0;
    for (Line line : due) {
      String account = account(line.slice(), definition);
      if (account != null && input.registration().leftAlone().contains(account)) {
        planned.add(line.planned(Reason.ACCOUNT_LIMIT));
      } else if (running >= limits.partitions()) {
        planned.add(line.planned(Reason.LIMIT_REACHED));
      } else if (account != null
          && limits.perAccount() != null
          && byAccount.merge(account, 1, Integer::sum) > limits.perAccount()) {
        planned.add(line.planned(Reason.ACCOUNT_LIMIT));
      } else {
        planned.add(line.planned(line.reason()));
        running++;
      }
    }
    return planned;
  }

  private static @Nullable String account(Slice slice, PipelineDefinition definition) {
    String dimension = definition.extent().account();
    return dimension == null ? null : slice.values().get(dimension);
  }

  private static Comparator<Line> order(PipelineDefinition definition) {
    Integration.Strategy strategy = definition.integration().strategy();
    Comparator<Window> byWindow = byWindow(definition.pace().order());
    if (definition.integration().stateful()) {
      // In its slice each waits for those before it, whoever asks.
      return Comparator.comparing(Line::window, byWindow).thenComparing(Line::slice);
    }
    return Comparator.comparing((Line line) -> !line.isAsked())
        .thenComparing(line -> goesSecond(line, strategy))
        .thenComparing(Line::window, byWindow)
        .thenComparing(Line::slice);
  }

  /** Late first is for state that builds on the past (C3), current first for quick news (C4). */
  private static boolean goesSecond(Line line, Integration.Strategy strategy) {
    return switch (strategy) {
      case CURRENT_FIRST -> !line.isAsked() && !line.isNew();
      case LATE_FIRST -> !line.isAsked() && line.isNew();
      case PARALLEL -> false;
    };
  }

  private static Comparator<PlannedPartition> bySkipped(Pace.Order order) {
    return Comparator.comparing(PlannedPartition::window, byWindow(order))
        .thenComparing(PlannedPartition::slice);
  }

  private static Comparator<Window> byWindow(Pace.Order order) {
    return switch (order) {
      case NEWEST_FIRST -> Comparator.reverseOrder();
      case OLDEST_FIRST -> Comparator.naturalOrder();
    };
  }

  private Planner() {}
}
