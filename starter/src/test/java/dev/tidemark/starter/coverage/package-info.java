/** Which rule is covered by which test: {@code docs/coverage.md}. */
@NullMarked
package dev.tidemark.starter.coverage;

import org.jspecify.annotations.NullMarked;
