package dev.tidemark.activities.index.stage;

import dev.tidemark.activities.index.segment.IndexManifest;
import dev.tidemark.activities.index.segment.SegmentFiles;
import dev.tidemark.workflows.index.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * What a build makes, and out of what.
 *
 * @param generation that it makes
 * @param token of the build: what it publishes is found again by it
 * @param throughEdit edits up to here are in it
 * @param previous the generation that it adds to; null for a full build, which reads everything
 */
public record Build(
    ObjectType type,
    long index,
    long generation,
    long token,
    long throughEdit,
    @Nullable IndexManifest previous) {

  public boolean isFull() {
    return previous == null;
  }

  /** The folder of the index in its store. */
  String root() {
    return SegmentFiles.root(type.name(), index);
  }
}
