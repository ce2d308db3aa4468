/** Looks for what is wrong, and tells people, beside the work and never in its way. */
@NullMarked
package dev.tidemark.worker.alert;

import org.jspecify.annotations.NullMarked;
