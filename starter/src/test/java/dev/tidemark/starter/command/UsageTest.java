package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** contracts, section 1: exit code 2 comes before anything else, and changes nothing. */
class UsageTest {
  @TempDir Path folder;

  static List<List<String>> wrong() {
    return List.of(
        List.of(),
        List.of("nonsense"),
        List.of("swep", "days"),
        List.of("plan"),
        List.of("plan", "days", "extra"),
        List.of("plan", "nosuch"),
        List.of("plan", "days", "--now", "yesterday"),
        List.of("plan", "days", "--now", "2026-08-04T01:00:00"),
        List.of("plan", "days", "--from", "2026-08-02", "--to", "2026-08-01"),
        List.of("plan", "days", "--from", "2026-W31"),
        List.of("plan", "days", "--save", "nosuch/plan.json"),
        List.of("plan", "days", "--save", "."),
        List.of("backfill", "days", "--plan", "nosuch.json"),
        List.of("backfill", "days", "--plan", "nosuch.json", "--downstream"),
        List.of("--output", "xml", "plan", "days"),
        List.of("sweep", "nosuch"),
        List.of("sweep", "days", "--timeout", "soon"),
        List.of("sweep", "days", "--timeout", "0s"),
        List.of("backfill", "days"),
        List.of("backfill", "days", "--from", "2026-08-01"),
        List.of("backfill", "days", "--from", "2026-08-02", "--to", "2026-08-01", "--wait"),
        List.of("backfill", "days", "--from", "2026-07-01", "--to", "2026-07-02"),
        List.of("backfill", "days", "--from", "2026-02-30", "--to", "2026-07-26"),
        List.of("backfill", "days", "--from", "2026-07-26", "--to", "2026-09-01"),
        List.of("backfill", "sliced", "--from", "2026-07-26", "--to", "2026-08-01"),
        List.of("backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--mode", "some"),
        List.of("backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--order", "up"),
        List.of(
            "backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--parallel", "0"),
        List.of("backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--param", "x"),
        List.of("backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--plan", "f"),
        List.of(
            "backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--slice", "unit=x"),
        List.of(
            "backfill", "days", "--from", "2026-07-26", "--to", "2026-07-26", "--timeout", "1h"),
        List.of("backfills"),
        List.of("backfills", "show"),
        List.of("backfills", "set", "some-id", "--parallel", "501"),
        List.of("backfills", "cancel", "some-id", "--running", "later"),
        List.of("status", "nosuch"),
        List.of("partitions", "days", "--state", "broken"),
        List.of("partitions", "days", "--limit", "0"),
        List.of("partitions", "sliced", "--slice", "city=izmir"),
        List.of("partitions", "sliced", "--slice", "unit=ankara"),
        List.of("partitions", "sliced", "--slice", "unit=izmir", "--slice", "unit=istanbul"),
        List.of("explain", "days", "2026-07"),
        List.of("explain", "sliced", "2026-07-26"),
        List.of("explain", "sliced", "2026-07-26", "--slice", "unit=izmir"),
        List.of("logs", "days", "2026-07-26T01"),
        List.of("try", "days"),
        List.of("try", "days", "26 July"),
        List.of("changed", "days"),
        List.of("changed", "days", "2026-07-26"),
        List.of("excuse", "days", "2026-07-26"),
        List.of("unexcuse", "days", "2026-13-01", "--reason", "x"),
        List.of("retry", "days", "2026-07-26", "today"),
        List.of("schedule"),
        List.of("adopt", "days"),
        List.of("adopt", "days", "2026-02-30"),
        List.of("reconcile", "days", "--from", "2026-07-26", "--to", "2026-07-01"),
        List.of("reconcile", "nosuch"),
        List.of("rebuild-ledger", "nosuch"),
        List.of("read", "days", "today"),
        List.of("worker"),
        List.of("check-connections", "nosuch"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void wrongUsageExitsWith2AndTouchesNothing(List<String> arguments) {
    Trial trial = Trial.with(folder, Trial.DAYS);
    List<String> before = trial.files();

    Trial.Ran ran = trial.run(arguments.toArray(String[]::new));

    assertThat(ran.exit()).as(ran.err()).isEqualTo(2);
    assertThat(ran.err()).startsWith("error: ").doesNotContain("Exception", "\tat ");
    assertThat(ran.out()).isEmpty();
    assertThat(trial.files()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void asJsonTheErrorIsTheOnlyThingOnStandardOutput(List<String> arguments) {
    if (arguments.contains("xml")) {
      return;
    }
    Trial trial = Trial.with(folder, Trial.DAYS);

    Trial.Ran ran = trial.json(arguments.toArray(String[]::new));

    JsonNode error = ran.json().path("error");
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(error.path("code").asText()).isNotEmpty();
    assertThat(error.path("message").asText()).isNotEmpty();
    assertThat(error.has("field")).isTrue();
    assertThat(ran.err()).isEmpty();
  }

  @Test
  void anErrorNamesTheFieldTheValueAndTheWayOut() {
    Trial trial = Trial.with(folder, Trial.DAYS);

    JsonNode outside =
        trial.json("backfill", "days", "--from", "2026-07-01", "--to", "2026-07-26").json();
    JsonNode unknown = trial.json("plan", "nosuch").json();

    assertThat(outside.at("/error/field").asText()).isEqualTo("--from");
    assertThat(outside.at("/error/message").asText()).contains("2026-07-01", "2026-07-25");
    assertThat(unknown.at("/error/field").asText()).isEqualTo("PIPELINE");
    assertThat(field("backfill", "days", "--to", "2026-07-26")).isEqualTo("--from");
    assertThat(field("excuse", "days", "2026-07-26")).isEqualTo("--reason");
    assertThat(field("plan")).isEqualTo("PIPELINE");
    assertThat(field("plan", "days", "--nonsense")).isEqualTo("--nonsense");
    assertThat(unknown.at("/error/message").asText()).contains("nosuch", "days", "sliced");
    assertThat(message("swep", "days"))
        .isEqualTo("there is no command 'swep'; did you mean 'sweep'?");
    assertThat(message("plan", "days", "extra")).isEqualTo("'extra' is one argument too many");
    assertThat(message("backfill", "days", "--plan", "nosuch.json"))
        .isEqualTo("--plan nosuch.json: there is no such file");
  }

  private String message(String... arguments) {
    return Trial.with(folder, Trial.DAYS).json(arguments).json().at("/error/message").asText();
  }

  private String field(String... arguments) {
    return Trial.with(folder, Trial.DAYS).json(arguments).json().at("/error/field").asText();
  }

  @Test
  void theFormatIsTakenFromArgumentsThatCannotBeParsed() {
    Trial.Ran ran = Trial.runBare("plan", "--nonsense", "--output", "json");

    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.json().at("/error/code").asText()).isEqualTo("usage");
  }

  @Test
  void globalOptionsAreAcceptedBeforeAndAfterTheCommand() {
    Trial trial = Trial.with(folder, Trial.DAYS);

    Trial.Ran before = Trial.runBare("--config", trial.config(), "--output", "json", "validate");
    Trial.Ran after = Trial.runBare("validate", "--output", "json", "--config", trial.config());

    assertThat(before.exit()).isZero();
    assertThat(after).isEqualTo(before);
  }

  @Test
  void everyProblemOfAConfigurationIsReported() {
    Trial trial =
        Trial.with(
            folder,
            Trial.DAYS.replace("closes-after: 1h", "lookbak: 2").replace("izmir]", "izmir], x: 1"));

    JsonNode error = trial.json("validate").json().path("error");
    Trial.Ran text = trial.run("validate");

    assertThat(error.path("code").asText()).isEqualTo("configuration");
    assertThat(error.path("problems")).hasSizeGreaterThanOrEqualTo(2);
    JsonNode first = error.path("problems").get(0);
    assertThat(first.path("line").asInt()).isEqualTo(4);
    assertThat(first.path("message").asText()).contains("lookback");
    assertThat(text.exit()).isEqualTo(2);
    assertThat(text.err()).contains("tidemark.yaml:4", "lookback");
  }

  @Test
  void aMissingConfigurationIsAnError() {
    Trial.Ran ran = new Trial(folder).json("validate");

    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.json().at("/error/code").asText()).isEqualTo("configuration");
    assertThat(ran.json().at("/error/message").asText()).contains("tidemark.yaml");
  }
}
