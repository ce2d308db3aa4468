package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.activities.store.OutputStore;

/**
 * Where a stage works.
 *
 * @param store of the object type's location
 * @param segments of this process
 */
public record Workplace(OutputStore store, SegmentFiles segments, Watch watch) {}
