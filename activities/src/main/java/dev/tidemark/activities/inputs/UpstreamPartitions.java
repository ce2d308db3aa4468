package dev.tidemark.activities.inputs;

import dev.tidemark.activities.ledger.Upstreams.Read;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.UpstreamRules;
import dev.tidemark.workflows.planning.UpstreamRules.OwnUpstream;
import dev.tidemark.workflows.planning.UpstreamRules.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The partitions of an upstream pipeline in a range, as they are at one moment. */
final class UpstreamPartitions {
  private final Partitioning partitions;
  private final UpstreamRules rules;
  private final List<ExpectedSlice> slices;
  private final Map<Slice, Map<Instant, Read>> rows;
  private final UpstreamInputs own;
  private final Map<Slice, List<ExpectedSlice>> matching = new HashMap<>();
  private final Map<Slice, Map<Instant, Standing>> standings = new HashMap<>();

  /**
   * @param rows by slice and start of the window
   * @param own the upstream inputs that this upstream itself has
   */
  UpstreamPartitions(
      RegisteredPipeline pipeline,
      UpstreamRules rules,
      List<ExpectedSlice> slices,
      Map<Slice, Map<Instant, Read>> rows,
      UpstreamInputs own) {
    this.partitions = pipeline.definition().extent().partitions();
    this.rules = rules;
    this.slices = slices;
    this.rows = rows;
    this.own = own;
  }

  /**
   * A partition that counts.
   *
   * @param label with its slice
   * @param version null where it was never committed
   */
  record Counted(String label, Standing standing, @Nullable String version) {}

  /** Those that the reader's partition reads and that count, by window. */
  List<Counted> counted(Mapping mapping, Window reader, Slice readerSlice) {
    List<ExpectedSlice> read = matching.computeIfAbsent(readerSlice, this::sharing);
    List<Counted> counted = new ArrayList<>();
    for (Window window : mapping.upstreamOf(reader, partitions)) {
      for (ExpectedSlice expected : read) {
        Slice slice = expected.slice();
        Standing standing = standing(window, slice);
        if (standing.counts()) {
          Read row = row(window, slice);
          counted.add(
              new Counted(
                  slice.canonical().isEmpty()
                      ? window.label()
                      : window.label() + " " + slice.canonical(),
                  standing,
                  row == null ? null : row.version()));
        }
      }
    }
    return counted;
  }

  /** Shared dimensions must be equal, the others are all taken. */
  private List<ExpectedSlice> sharing(Slice reader) {
    return slices.stream().filter(expected -> expected.slice().agreesWith(reader)).toList();
  }

  private Standing standing(Window window, Slice slice) {
    Map<Instant, Standing> ofSlice = standings.computeIfAbsent(slice, key -> new HashMap<>());
    Standing known = ofSlice.get(window.start());
    if (known == null) {
      Read row = row(window, slice);
      OwnUpstream since =
          row == null || row.version() == null
              ? OwnUpstream.UNCHANGED
              : own.since(row.facts().versions().processed(), window, slice);
      known = rules.of(window, slice, row == null ? null : row.facts(), since);
      ofSlice.put(window.start(), known);
    }
    return known;
  }

  private @Nullable Read row(Window window, Slice slice) {
    return rows.getOrDefault(slice, Map.of()).get(window.start());
  }
}
