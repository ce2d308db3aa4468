/** What the product costs beside what it is built on (`deploy/benchmark`); no part of the tests. */
@NullMarked
package dev.tidemark.worker.benchmark;

import org.jspecify.annotations.NullMarked;
