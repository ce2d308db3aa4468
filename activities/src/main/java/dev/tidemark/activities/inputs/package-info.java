/** Change detectors: the version of a partition's inputs now. */
@NullMarked
package dev.tidemark.activities.inputs;

import org.jspecify.annotations.NullMarked;
