package dev.tidemark.activities.planning;

import dev.tidemark.activities.inputs.Observed;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.InputHold;
import dev.tidemark.workflows.planning.ObservedVersions;
import org.jspecify.annotations.Nullable;

/**
 * What was just observed, as it would be recorded: an input that is not there leaves the version
 * recorded before, and one that is there without a version has the empty one.
 */
record FreshVersions(Observed observed, RecordedVersions recorded) implements ObservedVersions {
  @Override
  public @Nullable String version(Window window, Slice slice) {
    if (!ready(window, slice)) {
      return recorded.version(window, slice);
    }
    String version = observed.version(window.label(), slice);
    return version == null ? "" : version;
  }

  @Override
  public boolean ready(Window window, Slice slice) {
    return observed.ready(window.label(), slice);
  }

  @Override
  public @Nullable InputHold hold(Window window, Slice slice) {
    return observed.hold(window.label(), slice);
  }
}
