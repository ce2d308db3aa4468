package dev.tidemark.starter.backfill;

import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Pairs;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Who;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a backfill asks for. */
final class RequestOptions {
  @Option(names = "--from", paramLabel = "P", description = "The first partition.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "P", description = "The last partition, inclusive.")
  private @Nullable String to;

  @Mixin private final SliceOption slice = new SliceOption();

  @Option(
      names = "--mode",
      paramLabel = "missing|failed|late|stale|all",
      description = "Which partitions of the range (default: missing).")
  private BackfillRequest.@Nullable Mode mode;

  @Option(
      names = "--order",
      paramLabel = "oldest|newest",
      description = "Which go first (default: the pipeline's order).")
  private BackfillRequest.@Nullable Order order;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "At most this many at once (default: the pipeline's limit).")
  private @Nullable Integer parallel;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
  private @Nullable String reason;

  @Option(names = "--param", paramLabel = "K=V", description = "A parameter for the task.")
  private List<String> params = new ArrayList<>();

  /** The request, checked against the definition. */
  BackfillRequest request(PipelineDefinition definition, NowOption now, Clock clock) {
    Window first = inside(definition, "--from", required("--from", from));
    Window last = inside(definition, "--to", required("--to", to));
    Asked.range(definition, from, to);
    refuseUnclosed(definition, last, now.or(clock));
    checkParallel(parallel);
    return new BackfillRequest(
        UUID.randomUUID().toString(),
        first.label(),
        last.label(),
        slice.filter(definition).values(),
        mode == null ? BackfillRequest.Mode.MISSING : mode,
        order,
        parallel,
        reason,
        Pairs.parse("--param", params),
        Who.asks(),
        now.given());
  }

  private static String required(String option, @Nullable String label) {
    if (label == null) {
      throw CommandFailure.usage(option, "Missing required option: '" + option + "=P'");
    }
    return label;
  }

  /**
   * The request for what a saved plan names, which says itself which partitions.
   *
   * @param given the logical time given by hand
   */
  BackfillRequest exactly(String first, String last, @Nullable Instant given) {
    if (from != null || to != null || mode != null || slice.isGiven()) {
      throw CommandFailure.usage(
          "--plan",
          "--plan says itself which partitions; leave out --from, --to, --slice and --mode");
    }
    checkParallel(parallel);
    return new BackfillRequest(
        UUID.randomUUID().toString(),
        first,
        last,
        null,
        BackfillRequest.Mode.ALL,
        order,
        parallel,
        reason,
        Pairs.parse("--param", params),
        Who.asks(),
        given);
  }

  /** Whether so many at once are possible. */
  static void checkParallel(@Nullable Integer parallel) {
    if (parallel != null && (parallel < 1 || parallel > Limits.MAX_PARALLEL)) {
      throw CommandFailure.usage(
          "--parallel", "--parallel must be from 1 to " + Limits.MAX_PARALLEL + ": " + parallel);
    }
  }

  private static Window inside(PipelineDefinition definition, String option, String label) {
    Partitioning partitions = definition.extent().partitions();
    Window window = Asked.window(definition, option, label);
    if (!partitions.contains(window)) {
      throw CommandFailure.usage(
          option,
          option
              + " "
              + window.label()
              + " lies outside '"
              + definition.name()
              + "', which starts at "
              + partitions.start()
              + (partitions.end() == null ? "" : " and ends before " + partitions.end()));
    }
    return window;
  }

  /** Here by the clock of this machine; the ledger checks again by its own. */
  private static void refuseUnclosed(PipelineDefinition definition, Window last, Instant now) {
    Extent extent = definition.extent();
    if (!extent.closure().isClosed(last, extent.partitions().zone(), now)) {
      throw CommandFailure.usage(
          "--to",
          "--to "
              + last.label()
              + " is not closed at "
              + now
              + "; the newest closed partition is "
              + extent.closedThrough(now).map(Window::label).orElse("none yet"));
    }
  }
}
