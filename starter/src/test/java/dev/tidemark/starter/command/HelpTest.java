package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** contracts, section 1: the commands there are, and their help. */
class HelpTest {
  /** The table of the contract. */
  private static final List<String> COMMANDS =
      List.of(
          "demo",
          "init",
          "validate",
          "dev",
          "worker",
          "migrate",
          "apply",
          "remove",
          "schedule",
          "pause",
          "resume",
          "sweep",
          "plan",
          "backfill",
          "backfills",
          "status",
          "partitions",
          "explain",
          "logs",
          "try",
          "changed",
          "excuse",
          "unexcuse",
          "retry",
          "read",
          "adopt",
          "reconcile",
          "rebuild-ledger",
          "check-connections");

  static List<String> commands() {
    return COMMANDS;
  }

  @Test
  void theHelpListsEachCommandOnALineOfItsOwn() {
    Trial.Ran help = Trial.runBare("--help");

    assertThat(help.exit()).isZero();
    for (String command : COMMANDS) {
      assertThat(help.out().lines())
          .as(command)
          .anyMatch(line -> line.strip().matches(command + "\\s+\\S.*"));
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelp(String command) {
    Trial.Ran help = Trial.runBare(command, "--help");

    assertThat(help.exit()).isZero();
    assertThat(help.out()).contains("Usage: tidemark " + command);
    assertThat(help.err()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandTakesTheGlobalOptions(String command) {
    Trial.Ran help = Trial.runBare(command, "--help");

    assertThat(help.out()).contains("--config", "--output", "--verbose", "--no-progress");
  }

  @Test
  void theVersionIsSaidBeforeAndAfterACommand() {
    assertThat(Trial.runBare("--version").out()).startsWith("tidemark ");
    assertThat(Trial.runBare("sweep", "--version").out()).startsWith("tidemark ");
  }
}
