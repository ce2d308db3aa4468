package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The expected set at a moment: from each slice's first window to its last or the newest closed one
 * (A17, A21).
 */
final class ExpectedExtent {
  private final Partitioning partitions;
  private final Map<Slice, ExpectedSlice> slices = new HashMap<>();
  private final @Nullable Window closedThrough;
  private final Instant keptFrom;

  ExpectedExtent(Extent extent, List<ExpectedSlice> slices, Instant now) {
    this.partitions = extent.partitions();
    slices.forEach(slice -> this.slices.put(slice.slice(), slice));
    this.closedThrough = extent.closedThrough(now).orElse(null);
    this.keptFrom =
        extent.keep() == null || closedThrough == null
            ? Instant.MIN
            : closedThrough.start().atZone(partitions.zone()).minus(extent.keep()).toInstant();
  }

  /** The newest closed window, null as long as none is closed. */
  @Nullable Window closedThrough() {
    return closedThrough;
  }

  /**
   * Why a partition is not in the expected set; null if it is.
   *
   * @param known it has a row
   */
  @Nullable Reason reasonAgainst(Window window, Slice slice, boolean known) {
    ExpectedSlice expected = slices.get(slice);
    if (expected == null) {
      return known ? Reason.NOT_EXPECTED : Reason.UNKNOWN_SLICE;
    }
    if (window.compareTo(partitions.first()) < 0) {
      return Reason.BEFORE_START;
    }
    if (!partitions.contains(window) || expected.hasEndedBy(window)) {
      return Reason.AFTER_END;
    }
    if (window.compareTo(expected.since()) < 0) {
      return Reason.BEFORE_SINCE;
    }
    if (closedThrough == null || window.compareTo(closedThrough) > 0) {
      return Reason.NOT_CLOSED;
    }
    return window.start().isBefore(keptFrom) ? Reason.RETAINED_OUT : null;
  }
}
