/** What this process and its ledger look like in numbers: Micrometer, and Prometheus' format. */
@NullMarked
package dev.tidemark.worker.metrics;

import org.jspecify.annotations.NullMarked;
