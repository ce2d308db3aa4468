package dev.tidemark.workflows.index;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** The stages of one build, one after another. */
final class BuildFlow {
  private static final RetryOptions UNTIL_IT_IS_BACK =
      RetryOptions.newBuilder()
          .setInitialInterval(Duration.ofSeconds(1))
          .setMaximumInterval(Duration.ofSeconds(30))
          .build();

  /** Looks at datasources: one that cannot be reached now is looked at again by the next run. */
  private final IndexActivities begins =
      Workflow.newActivityStub(
          IndexActivities.class,
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofMinutes(10))
              .setRetryOptions(UNTIL_IT_IS_BACK.toBuilder().setMaximumAttempts(5).build())
              .build());

  /**
   * A worker that died is found by its heartbeat. A fault that may pass is tried again, after five
   * minutes at most; one that stays for a day fails the build.
   */
  private final IndexActivities stages =
      Workflow.newActivityStub(
          IndexActivities.class,
          ActivityOptions.newBuilder()
              .setHeartbeatTimeout(Duration.ofSeconds(30))
              .setStartToCloseTimeout(Duration.ofHours(12))
              .setScheduleToCloseTimeout(Duration.ofHours(24))
              .setRetryOptions(
                  RetryOptions.newBuilder()
                      .setInitialInterval(Duration.ofSeconds(5))
                      .setMaximumInterval(Duration.ofMinutes(5))
                      .build())
              .build());

  /** One short transaction. */
  private final IndexActivities ledger =
      Workflow.newActivityStub(
          IndexActivities.class,
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofMinutes(1))
              .setRetryOptions(UNTIL_IT_IS_BACK)
              .build());

  BuildDecision begin(BuildRequest request) {
    return begins.begin(request);
  }

  SwitchOutcome switchOver(String objectType, int revision) {
    return ledger.switchOver(objectType, revision);
  }

  /**
   * Runs the build to its end.
   *
   * @return why it has failed; empty where the generation is there
   */
  String run(Build begun) {
    Build build = begun;
    try {
      String cause = changelogs(build);
      if (!cause.isEmpty()) {
        build = ledger.widen(build, cause);
        changelogs(build);
      }
      stages.merge(build);
      stages.index(build);
    } catch (ActivityFailure failure) {
      return failed(build, failure);
    }
    try {
      stages.hydrate(build);
    } catch (ActivityFailure laterByThemselves) {
      // The generation is there; a process that has not got it yet fetches it by itself.
      Workflow.getLogger(BuildFlow.class).warn("hydration is not seen", laterByThemselves);
    }
    return "";
  }

  /** Why an incremental build is not enough, or nothing. */
  private String changelogs(Build build) {
    String cause = "";
    for (String datasource : build.datasources()) {
      String said = stages.changelog(build, datasource);
      if (said != null && cause.isEmpty() && !build.full()) {
        cause = said;
      }
    }
    return cause;
  }

  private String failed(Build build, ActivityFailure failure) {
    ApplicationFailure said =
        failure.getCause() instanceof ApplicationFailure application ? application : null;
    String error =
        said == null
            ? String.valueOf(failure.getCause())
            : String.valueOf(said.getOriginalMessage());
    if (said == null || !IndexActivities.SUPERSEDED.equals(said.getType())) {
      boolean badData = said != null && IndexActivities.BAD_DATA.equals(said.getType());
      ledger.fail(build, error, badData);
    }
    return error;
  }
}
