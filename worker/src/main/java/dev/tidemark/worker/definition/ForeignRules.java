package dev.tidemark.worker.definition;

import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.List;

/** Rules of tasks that another SDK runs: what Temporal would refuse is refused here. */
final class ForeignRules {
  private static final int MAX_NAME = 200;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Below what {@code Publisher} allows a staging beyond the task's own time. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(12);

  private final String key;
  private final List<Violation> found;

  private ForeignRules(String key, List<Violation> found) {
    this.key = key;
    this.found = found;
  }

  static void check(TaskSpec.Foreign task, List<Violation> found) {
    boolean isActivity = task instanceof TaskSpec.Activity;
    ForeignRules rules = new ForeignRules(isActivity ? "task.activity" : "task.workflow", found);
    rules.name("type", task.type());
    rules.name("task-queue", task.taskQueue());
    if (task.taskQueue().startsWith("/_sys/")) {
      rules.add("task-queue", "begins with /_sys/, which is Temporal's own; name another");
    }
    rules.duration("start-within", task.startWithin());
    if (task.startWithin().compareTo(LONGEST_WAIT) > 0) {
      rules.add("start-within", "must be at most 12h: the place for its files is not kept longer");
    }
    if (task instanceof TaskSpec.Activity activity) {
      rules.duration("heartbeat-within", activity.heartbeatWithin());
    }
  }

  private void name(String name, String value) {
    if (value.isBlank() || value.length() > MAX_NAME) {
      add(name, "must have 1 to " + MAX_NAME + " characters, and has " + value.strip().length());
    }
  }

  private void duration(String name, Duration value) {
    if (value.compareTo(SHORTEST) < 0) {
      add(name, "must be at least 1s");
    }
  }

  private void add(String name, String rule) {
    found.add(new Violation(key + "." + name, rule));
  }
}
