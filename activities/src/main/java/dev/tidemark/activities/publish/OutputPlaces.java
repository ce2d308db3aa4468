package dev.tidemark.activities.publish;

import dev.tidemark.activities.account.OutputSlices;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.store.Digests;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.StagingArea;
import dev.tidemark.activities.store.StagingId;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Where the outputs of a pipeline are: the stores, and the names of each partition in them. */
final class OutputPlaces {
  private final PipelineDefinition definition;
  private final OutputSpec output;
  private final Stores stores;
  private final OutputSlices slices;
  private final boolean varies;
  private final Map<String, OutputStore> opened = new HashMap<>();
  private final Map<OutputStore, StagingArea> areas = new HashMap<>();

  /**
   * @param output of the definition
   * @throws IllegalArgumentException if this process has not the key that accounts are hashed with
   */
  OutputPlaces(PipelineDefinition definition, OutputSpec output, Stores stores) {
    this.definition = definition;
    this.output = output;
    this.stores = stores;
    this.slices = OutputSlices.of(definition.extent(), stores::accountKey);
    this.varies = output.location().contains("{slice.");
  }

  /**
   * Where one partition's output is.
   *
   * @param location of its store
   * @param slice as the output has it
   */
  record OutputPlace(String location, OutputStore store, Layout layout, Slice slice) {
    String address() {
      return store.address(layout.output());
    }

    /** Names an attempt's staging of it. */
    StagingId staging(Window window, long token) {
      return new StagingId(layout.stagingArea(), partitionId(window), token);
    }

    /** Unique within a pipeline and safe as a file name, whatever the slice's values are. */
    private String partitionId(Window window) {
      String label = window.label().replace(':', '_');
      String canonical = slice.canonical();
      return canonical.isEmpty() ? label : label + "-" + Digests.sha256(canonical).substring(0, 16);
    }
  }

  /**
   * The place of a partition. A bucket is found by the account's own value.
   *
   * @throws IllegalArgumentException if the location names no known connection
   */
  OutputPlace of(Window window, Slice slice) {
    String location = location(slice);
    OutputStore store = opened.computeIfAbsent(location, stores::open);
    Slice named = slices.of(slice);
    Layout layout =
        Layout.of(output, definition.name(), definition.extent().partitions(), window, named);
    areas.computeIfAbsent(store, opening -> layout.stagingArea());
    return new OutputPlace(location, store, layout, named);
  }

  /** Which store has the outputs of a slice; it is not opened. */
  String location(Slice slice) {
    return varies ? OutputLocation.of(output.location(), slice) : output.location();
  }

  /**
   * Whether what the row's commit made is where the present definition puts it: after a change of
   * the location or the layout the store cannot say anything of it.
   */
  boolean holds(OutputRow row) {
    OutputRow.Commit commit = row.commit();
    return commit == null
        || commit.output() == null
        || commit.output().equals(of(row.window(), row.slice()).address());
  }

  /** Removes the stagings that nobody can use any more, in the stores asked for so far. */
  int removeAbandoned(Unreached unreached) {
    int removed = 0;
    Duration age = Publisher.ABANDONED.plus(definition.task().timeout());
    for (Map.Entry<String, OutputStore> one : opened.entrySet()) {
      StagingArea area = areas.get(one.getValue());
      if (area != null && !unreached.has(one.getKey())) {
        try {
          removed += one.getValue().removeAbandoned(area, age);
        } catch (IOException e) {
          unreached.add(one.getKey(), e);
        }
      }
    }
    return removed;
  }
}
