package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.Claim;
import io.temporal.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The range of partitions that a lane took, as a search attribute: from its first claim on, and
 * once more at its end. Only where the lane was started with that attribute: a server that does not
 * know it would not take the workflow task.
 */
final class TakenRange {
  private final boolean searchable;
  private @Nullable String first;
  private @Nullable String last;
  private @Nullable String shown;

  /** A lane that began before there was such an attribute goes on without. */
  TakenRange() {
    this.searchable =
        Attributes.hasPartitions()
            && Workflow.getVersion("partition-range", Workflow.DEFAULT_VERSION, 1)
                != Workflow.DEFAULT_VERSION;
  }

  void took(List<Claim> claims) {
    for (Claim claim : claims) {
      String label = claim.partition();
      first = first == null || OpenPartitions.ORDER.compare(label, first) < 0 ? label : first;
      last = last == null || OpenPartitions.ORDER.compare(label, last) > 0 ? label : last;
    }
    if (shown == null) {
      show();
    }
  }

  /** Shows it, if it is not shown as it is. */
  void show() {
    String range = first == null ? null : first + ".." + last;
    if (searchable && range != null && !range.equals(shown)) {
      Attributes.showPartitions(range);
      shown = range;
    }
  }
}
