package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.Readiness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that read each other (C24): what may be written, and what has to fit together. */
class UpstreamInputsTest {
  private static final String DAY = "{every: day, start: 2026-01-01}";

  @TempDir Path folder;

  private static String pipeline(String name, String partitions, String inputs) {
    return """
          - name: %s
            partitions: %s
            inputs: [%s]
            task: {command: [sh]}
            output: {location: out}
        """
        .formatted(name, partitions, inputs);
  }

  private List<Problem> problems(String... pipelines) throws Exception {
    return ConfigurationFile.in(folder).problems("pipelines:\n" + String.join("", pipelines));
  }

  // C24
  @Test
  void everyMappingAndReadinessCanBeWritten() throws Exception {
    Configuration read =
        ConfigurationFile.in(folder)
            .load(
                "pipelines:\n"
                    + pipeline("days", DAY, "{push: true}")
                    + pipeline(
                        "sales",
                        DAY,
                        "{upstream: days}, {upstream: days, mapping: {previous: 1}, ready: {at-least: 1}},"
                            + " {upstream: days, mapping: {window: 7}, ready: {within: 6h}}")
                    + pipeline(
                        "months",
                        "{every: month, start: 2026-01}",
                        "{upstream: days, mapping: rollup, ready: all}"));

    assertThat(read.pipeline("sales").orElseThrow().inputs())
        .containsExactly(
            new InputSpec.Upstream("days", new Mapping.Same(), new Readiness.All()),
            new InputSpec.Upstream("days", new Mapping.Previous(1), new Readiness.AtLeast(1)),
            new InputSpec.Upstream(
                "days", new Mapping.Trailing(7), new Readiness.Within(Duration.ofHours(6))));
    assertThat(read.pipeline("months").orElseThrow().inputs())
        .containsExactly(new InputSpec.Upstream("days", new Mapping.Rollup(), new Readiness.All()));
  }

  // C24: the cycle is shown
  @Test
  void aCircleIsRefusedAndShown() throws Exception {
    List<Problem> problems =
        problems(
            pipeline("a", DAY, "{upstream: c}"),
            pipeline("b", DAY, "{upstream: a}"),
            pipeline("c", DAY, "{upstream: b}"));

    assertThat(problems).hasSize(3);
    assertThat(problems.get(0).key()).isEqualTo("pipelines[0].inputs[0].upstream");
    assertThat(problems.get(0).message()).contains("a -> c -> b -> a");
  }

  // C24
  @Test
  void whatDoesNotFitTogetherIsRefused() throws Exception {
    assertThat(
            problems(pipeline("days", DAY, "{push: true}"), pipeline("b", DAY, "{upstream: day}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("did you mean 'days'"));
    assertThat(
            problems(
                pipeline("days", DAY, "{push: true}"),
                pipeline("hours", "{every: hour, start: 2026-01-01}", "{upstream: days}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("every hour", "every day"));
    assertThat(
            problems(
                pipeline("days", DAY, "{push: true}"),
                pipeline(
                    "elsewhere",
                    "{every: day, zone: Europe/Istanbul, start: 2026-01-01}",
                    "{upstream: days}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("Europe/Istanbul", "UTC"));
    assertThat(
            problems(
                pipeline("days", DAY, "{push: true}"),
                pipeline("b", DAY, "{upstream: days, mapping: rollup}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("longer windows"));
  }

  // C24
  @Test
  void aMappingOrReadinessThatIsNoneIsRefused() throws Exception {
    String days = pipeline("days", DAY, "{push: true}");
    assertThat(problems(days, pipeline("b", DAY, "{upstream: days, mapping: before}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("{previous: n}"));
    assertThat(problems(days, pipeline("b", DAY, "{upstream: days, ready: {at-least: 0}}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.key()).endsWith("ready.at-least"));
    assertThat(problems(days, pipeline("b", DAY, "{upstream: days, allow-empty: true}")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("ready"));
  }
}
