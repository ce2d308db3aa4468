/**
 * Partitions whose task a worker of any Temporal SDK runs: what crosses, and how a lane runs it.
 */
@NullMarked
package dev.tidemark.workflows.foreign;

import org.jspecify.annotations.NullMarked;
