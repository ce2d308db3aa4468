package dev.tidemark.starter.demo;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
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
    // As a path; Jackson would make a URL of it.
    @JsonSerialize(using = ToStringSerializer.class) Path folder,
    @JsonProperty("caught_up") int caughtUp,
    List<String> late,
    int redone,
    int untouched,
    int backfilled) {}
