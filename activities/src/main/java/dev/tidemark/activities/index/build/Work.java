package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.ObjectIndex;
import dev.tidemark.workflows.index.Build;
import java.nio.file.Path;

/**
 * What a stage works on.
 *
 * @param build that it is of
 * @param index as it was when the stage began: its newest generation is the one before this build
 * @param throughEdit the newest edit that the build takes in
 * @param scratch a folder of its own, which is removed after it
 * @param lease checked before anything is published
 */
record Work(Build build, ObjectIndex index, long throughEdit, Path scratch, BuildLease lease) {}
