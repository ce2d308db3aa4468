package dev.tidemark.activities.inputs;

import dev.tidemark.activities.inputs.UpstreamPartitions.Counted;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Readiness;
import dev.tidemark.workflows.planning.InputHold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One upstream input of a pipeline, as it is at one moment: what its partitions read of it. */
final class UpstreamInput {
  private static final int NAMED = 3;

  private final InputSpec.Upstream input;
  private final Extent reader;
  private final @Nullable UpstreamPartitions upstream;
  private final Instant now;
  private final Map<Slice, Map<Instant, Reading>> known = new HashMap<>();

  /**
   * @param reader the pipeline that reads
   * @param upstream null where no such pipeline is registered
   */
  UpstreamInput(
      InputSpec.Upstream input, Extent reader, @Nullable UpstreamPartitions upstream, Instant now) {
    this.input = input;
    this.reader = reader;
    this.upstream = upstream;
    this.now = now;
  }

  /** Exactly one of the two is null. */
  record Reading(@Nullable String version, @Nullable InputHold hold) {}

  Reading read(Window window, Slice slice) {
    Map<Instant, Reading> ofSlice = known.computeIfAbsent(slice, key -> new HashMap<>());
    Reading reading = ofSlice.get(window.start());
    if (reading == null) {
      reading = work(window, slice);
      ofSlice.put(window.start(), reading);
    }
    return reading;
  }

  private Reading work(Window window, Slice slice) {
    List<Counted> counted =
        upstream == null ? List.of() : upstream.counted(input.mapping(), window, slice);
    if (counted.isEmpty()) {
      return new Reading(null, InputHold.NO_INPUT);
    }
    List<Counted> committed =
        counted.stream().filter(partition -> partition.standing().committed()).toList();
    return isReady(window, counted, committed.size())
        ? new Reading(version(committed), null)
        : new Reading(null, InputHold.upstream(waitsFor(counted)));
  }

  private boolean isReady(Window window, List<Counted> counted, int committed) {
    Readiness ready = input.ready();
    if (ready instanceof Readiness.AtLeast atLeast) {
      return committed >= Math.min(atLeast.partitions(), counted.size());
    }
    if (ready instanceof Readiness.Within within) {
      Instant closed = reader.closure().closesAt(window, reader.partitions().zone());
      boolean isOver = !now.isBefore(closed.plus(within.afterClosure()));
      return committed == counted.size() || (isOver && committed > 0);
    }
    return counted.stream().noneMatch(partition -> partition.standing().waitsFor() != null);
  }

  /** Which partitions, and what each of them holds: equal content is an equal version. */
  private String version(List<Counted> committed) {
    String all =
        committed.stream()
            .map(partition -> partition.label() + "=" + partition.version())
            .sorted()
            .collect(Collectors.joining("\n"));
    return input.pipeline() + "@" + Fingerprint.of(all);
  }

  /** The first few of them, by window. */
  private String waitsFor(List<Counted> counted) {
    Predicate<Counted> isWaitedFor =
        input.ready() instanceof Readiness.All
            ? partition -> partition.standing().waitsFor() != null
            : partition -> !partition.standing().committed();
    List<Counted> waited = counted.stream().filter(isWaitedFor).toList();
    List<String> names = new ArrayList<>();
    for (Counted partition : waited.subList(0, Math.min(NAMED, waited.size()))) {
      var reason = partition.standing().waitsFor();
      names.add(
          input.pipeline()
              + " "
              + partition.label()
              + (reason == null ? "" : " (" + reason.code() + ")"));
    }
    int more = waited.size() - names.size();
    return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "");
  }
}
