package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo, as a new user runs it. */
@Timeout(300)
class DemoTest {
  @TempDir Path folder;

  @Test
  void fourYearsAreCaughtUpOneDayIsLateAndAMonthIsBackfilled() {
    Trial.Ran demo =
        Trial.runBare("--output", "json", "demo", "--dir", folder.resolve("demo").toString());

    assertThat(demo.exit()).as(demo.out() + demo.err()).isZero();
    JsonNode report = demo.json();
    assertThat(report.path("caught_up").asInt()).isEqualTo(1461);
    assertThat(report.path("late")).hasSize(1);
    assertThat(report.at("/late/0").asText()).isEqualTo("2014-07-04");
    assertThat(report.path("redone").asInt()).isEqualTo(1);
    assertThat(report.path("untouched").asInt()).isEqualTo(1460);
    assertThat(report.path("backfilled").asInt()).isEqualTo(30);
  }
}
