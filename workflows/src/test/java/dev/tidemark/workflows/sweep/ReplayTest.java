package dev.tidemark.workflows.sweep;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.WorkflowHistoryLoader;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Histories recorded on a real server (by {@link SweepServerTest}) replay with the code as it is: a
 * workflow that was running when a new version was deployed goes on.
 */
class ReplayTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sweep",
        "lane",
        "lane-before-local-claims",
        "lane-before-foreign",
        "lane-foreign",
        "lane-partitions",
        "manual"
      })
  void recordedHistoriesReplay(String name) {
    assertThatCode(
            () -> Histories.replay(recorded(name), SweepWorkflowImpl.class, LaneWorkflowImpl.class))
        .doesNotThrowAnyException();
  }

  @Test
  void aChangedOrderOfCommandsDoesNotReplay() {
    assertThatThrownBy(() -> Histories.replay(recorded("lane"), LaneThatLooksFirst.class))
        .hasStackTraceContaining("NonDeterministicException");
  }

  private static WorkflowExecutionHistory recorded(String name) throws IOException {
    return WorkflowHistoryLoader.readHistoryFromResource("histories/" + name + ".json");
  }

  /** A lane whose first command is another one. */
  public static final class LaneThatLooksFirst implements LaneWorkflow {
    @Override
    public LaneProgress run(LaneInput input) {
      ActivityPolicies.ledger().outlook(new PlanRequest(input.pipeline(), Scope.ALL, input.now()));
      ActivityPolicies.ledger()
          .claim(new ClaimRequest("r", input.pipeline(), input.scope(), input.now(), 1, null));
      return new LaneProgress("lane", 0, 0, 0, 0, 0, false);
    }

    @Override
    public void look() {}

    @Override
    public void stop() {}
  }
}
