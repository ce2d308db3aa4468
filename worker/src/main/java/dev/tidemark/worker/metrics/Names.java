package dev.tidemark.worker.metrics;

/**
 * The names of Tidemark's metrics and of their tags, as Micrometer has them; docs/metrics.md says
 * what they mean. No tag is a partition, a slice or an account: what there is of each is bounded.
 */
final class Names {
  // From the ledger, the same on every worker.
  static final String PARTITIONS = "tidemark.partitions";
  static final String DUE = "tidemark.partitions.due";
  static final String LATE = "tidemark.partitions.late";
  static final String OVERDUE = "tidemark.partitions.overdue";
  static final String HOLE_AGE = "tidemark.oldest.hole.age";
  static final String FRESHNESS = "tidemark.freshness";
  static final String ALERTS = "tidemark.alerts";
  static final String PAUSED = "tidemark.paused";
  static final String SWEEP_AGE = "tidemark.last.sweep.age";
  static final String SWEEP_INTERVAL = "tidemark.sweep.interval";
  static final String NOTIFICATIONS = "tidemark.notifications";
  static final String OBJECTS = "tidemark.objects";
  static final String OBJECT_SYNC_DELAY = "tidemark.object.sync.delay";
  static final String OBJECT_SYNC_ALLOWED = "tidemark.object.sync.allowed";
  static final String OBJECT_EDITS_WAITING = "tidemark.object.edits.waiting";
  static final String OBJECT_BUILDS_FAILED = "tidemark.object.builds.failed";
  static final String LEDGER_UP = "tidemark.ledger.up";
  static final String CENSUS = "tidemark.census";
  static final String CENSUS_AGE = "tidemark.census.age";

  // What this process has done since it started.
  static final String CLAIM = "tidemark.claim";
  static final String CLAIMED = "tidemark.claimed.partitions";
  static final String ATTEMPTS = "tidemark.attempts";
  static final String ATTEMPT = "tidemark.attempt";
  static final String ROWS = "tidemark.rows";
  static final String BYTES = "tidemark.output.bytes";
  static final String LEASES_LOST = "tidemark.leases.lost";
  static final String FENCED = "tidemark.fenced";
  static final String STORE_ERRORS = "tidemark.store.errors";
  static final String SCANS = "tidemark.scans";
  static final String PLAN = "tidemark.plan";
  static final String SWEEP = "tidemark.sweep";
  static final String DELIVERIES = "tidemark.deliveries";

  static final String PIPELINE = "pipeline";
  static final String OBJECT_TYPE = "object_type";
  static final String ROLE = "role";
  static final String STATE = "state";
  static final String RULE = "rule";
  static final String OUTCOME = "outcome";
  static final String TRIGGER = "trigger";
  static final String CHANNEL = "channel";

  private Names() {}
}
