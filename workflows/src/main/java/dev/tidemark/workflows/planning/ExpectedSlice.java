package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;

/** A slice of the current definition and the first window that has it: max(start, E(q)) (A21). */
public record ExpectedSlice(Slice slice, Window since) {}
