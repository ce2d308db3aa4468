package dev.tidemark.worker.definition;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;

/** What a definition has where nothing is said (contracts, section 2); the one place for it. */
public final class Defaults {
  public static final ZoneId ZONE = ZoneId.of("UTC");
  public static final Closure CLOSURE = new Closure.AfterDelay(Duration.ZERO);
  public static final Wake SWEEP = new Wake.Every(Duration.ofMinutes(15));
  public static final Period ACCEPT = Period.ofDays(60);
  public static final Integration.Strategy STRATEGY = Integration.Strategy.CURRENT_FIRST;
  public static final Duration TASK_TIMEOUT = Duration.ofHours(1);
  public static final Duration START_WITHIN = Duration.ofMinutes(10);
  public static final Duration HEARTBEAT_WITHIN = Duration.ofMinutes(1);
  public static final OutputSpec.Commit COMMIT = OutputSpec.Commit.ATOMIC;
  public static final Integration INTEGRATION =
      new Integration(
          List.of(), ACCEPT, STRATEGY, false, false, Integration.OnDefinitionChange.ASK);
  public static final Pace PACE =
      new Pace(
          SWEEP, Pace.Order.NEWEST_FIRST, new CatchUp.All(), Limits.DEFAULT, Retry.DEFAULT, null);

  /** A window that builds on the one before it can only follow it (C3). */
  public static Integration.Strategy strategy(boolean stateful) {
    return stateful ? Integration.Strategy.LATE_FIRST : STRATEGY;
  }

  /** The same. */
  public static Pace.Order order(boolean stateful) {
    return stateful ? Pace.Order.OLDEST_FIRST : PACE.order();
  }

  private Defaults() {}
}
