package dev.tidemark.workflows.sweep;

import java.util.regex.Pattern;

/** The ids of workflows and schedules (contracts, section 6), and their search attributes. */
public final class WorkflowIds {
  public static final String PIPELINE_ATTRIBUTE = "TidemarkPipeline";
  public static final String TRIGGER_ATTRIBUTE = "TidemarkTrigger";

  /** The range of partitions that a lane took: {@code 2026-08-30..2026-09-05}. */
  public static final String PARTITION_ATTRIBUTE = "TidemarkPartition";

  // Not any id that ends so: a request of a sweep by hand may be called "manual" too.
  private static final Pattern MANUAL = Pattern.compile("tidemark/[^/]+/manual");

  private WorkflowIds() {}

  /** The schedule, and the cron workflow, of a pipeline. */
  public static String sweep(String pipeline) {
    return "tidemark/" + pipeline + "/sweep";
  }

  /** A sweep by hand. */
  public static String sweepByHand(String pipeline, String request) {
    return "tidemark/" + pipeline + "/sweep/" + request;
  }

  /** The work that people asked for. */
  public static String manual(String pipeline) {
    return "tidemark/" + pipeline + "/manual";
  }

  /** Whether this is the id of asked-for work. */
  public static boolean isManual(String workflowId) {
    return MANUAL.matcher(workflowId).matches();
  }
}
