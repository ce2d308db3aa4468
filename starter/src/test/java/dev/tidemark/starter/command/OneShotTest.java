package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands on services of their own, which live as long as the command (contracts, section 1).
 */
class OneShotTest {
  @TempDir Path folder;

  @Test
  void stateSurvivesFromOneCommandToTheNext() {
    Trial trial =
        Trial.with(folder, Trial.DAYS.replace("inputs: [{files: \"input/{partition}.csv\"}]", ""));

    Trial.Ran plan = trial.json("plan", "sliced");
    Trial.Ran backfill =
        trial.json(
            "backfill",
            "sliced",
            "--from",
            "2026-07-25",
            "--to",
            "2026-07-26",
            "--slice",
            "unit=izmir",
            "--now",
            "2026-08-04T00:00:00Z");
    Trial.Ran sweep =
        trial.json("sweep", "sliced", "--now", "2026-07-28T00:00:00Z", "--timeout", "2m");
    Trial.Ran rows = trial.json("partitions", "sliced", "--slice", "unit=izmir");

    assertThat(plan.exit()).as(plan.out() + plan.err()).isZero();
    assertThat(backfill.exit()).as("nobody would do the work").isEqualTo(4);
    assertThat(backfill.json().at("/error/message").asText()).contains("--wait", "tidemark dev");
    assertThat(sweep.exit()).as(sweep.out() + sweep.err()).isZero();
    assertThat(sweep.json().path("completed").asInt()).isEqualTo(6);
    assertThat(rows.json().path("partitions")).hasSize(3);
    assertThat(rows.json().at("/partitions/0/slice/unit").asText()).isEqualTo("izmir");
    assertThat(rows.json().at("/partitions/0/state").asText()).isEqualTo("completed");

    assertThat(trial.run("retry", "sliced").out()).contains("nothing to retry");
    assertThat(trial.run("remove", "sliced").exit()).isZero();
    Trial.Ran again = trial.json("sweep", "sliced");
    assertThat(again.exit())
        .as("what was removed is not brought back by working on it")
        .isEqualTo(4);
    assertThat(again.json().at("/error/message").asText()).contains("removed", "tidemark apply");
    assertThat(trial.run("apply").exit()).isZero();
    assertThat(trial.json("partitions", "sliced").json().path("partitions")).isEmpty();
  }
}
