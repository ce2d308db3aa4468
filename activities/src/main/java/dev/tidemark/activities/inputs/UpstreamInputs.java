package dev.tidemark.activities.inputs;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.InputHold;
import dev.tidemark.workflows.planning.UpstreamRules.OwnUpstream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All upstream inputs of one pipeline. Their part of a version is its end, so that it can be told
 * from the version alone whether a commit was made from what the upstreams hold now.
 */
record UpstreamInputs(List<UpstreamInput> inputs) {
  private static final int READABLE = 200;
  private static final String AND = " + ";

  boolean isEmpty() {
    return inputs.isEmpty();
  }

  /** What is not there decides before what is waited for; all that is waited for is named. */
  @Nullable InputHold hold(Window window, Slice slice) {
    List<InputHold> holds =
        inputs.stream()
            .map(input -> input.read(window, slice).hold())
            .filter(Objects::nonNull)
            .toList();
    return holds.stream()
        .filter(hold -> hold.reason() == InputHold.NO_INPUT.reason())
        .findFirst()
        .or(
            () ->
                holds.stream()
                    .reduce((one, two) -> InputHold.upstream(one.detail() + ", " + two.detail())))
        .orElse(null);
  }

  /** The version of all inputs; only where nothing holds. */
  String appendTo(String others, Window window, Slice slice) {
    String own = version(window, slice);
    return others.isEmpty() ? own : others + AND + own;
  }

  private String version(Window window, Slice slice) {
    String together =
        inputs.stream()
            .map(input -> String.valueOf(input.read(window, slice).version()))
            .collect(Collectors.joining(AND));
    return together.length() <= READABLE ? together : "upstream@" + Fingerprint.of(together);
  }

  /** What they say of a commit that was made from the version {@code processed}. */
  OwnUpstream since(@Nullable String processed, Window window, Slice slice) {
    if (isEmpty() || processed == null || processed.isEmpty()) {
      return OwnUpstream.UNCHANGED;
    }
    InputHold hold = hold(window, slice);
    if (hold != null) {
      // What is gone is no change, as with every input.
      return hold.reason() == InputHold.NO_INPUT.reason()
          ? OwnUpstream.UNCHANGED
          : OwnUpstream.NOT_READY;
    }
    String now = version(window, slice);
    boolean same = processed.equals(now) || processed.endsWith(AND + now);
    return same ? OwnUpstream.UNCHANGED : OwnUpstream.CHANGED;
  }
}
