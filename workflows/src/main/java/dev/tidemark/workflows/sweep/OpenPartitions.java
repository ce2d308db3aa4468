package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.Claim;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a lane took and has not committed, by label. For people: the labels of one
 * pipeline order as their windows do, but for the two hours of a clock that is set back.
 */
final class OpenPartitions {
  static final Comparator<String> ORDER = Comparator.naturalOrder();

  private final TreeMap<String, Integer> open = new TreeMap<>(ORDER);

  void took(Claim claim) {
    open.merge(claim.partition(), 1, Integer::sum);
  }

  void committed(Claim claim) {
    open.computeIfPresent(claim.partition(), (label, slices) -> slices == 1 ? null : slices - 1);
  }

  @Nullable String oldest() {
    Map.Entry<String, Integer> first = open.firstEntry();
    return first == null ? null : first.getKey();
  }

  /** As the end of a line. */
  static String oldest(@Nullable String label) {
    return label == null ? "" : ", oldest " + label;
  }
}
