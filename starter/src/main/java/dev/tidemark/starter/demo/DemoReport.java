package dev.tidemark.starter.demo;

import java.nio.file.Path;
import java.util.List;

/**
 * What the demo did.
 *
 * @param caughtUp days that the first sweep committed
 * @param late the days that the correction made due
 * @param redone days that the second sweep committed
 * @param untouched outputs that the second sweep left as they were
 * @param backfilled days that the backfill committed
 */
record DemoReport(
    Path folder, int caughtUp, List<String> late, int redone, int untouched, int backfilled) {}
