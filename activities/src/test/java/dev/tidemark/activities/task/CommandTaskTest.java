package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommandTaskTest {
  @TempDir Path folder;
  private Path output;
  private TaskRun run;

  @BeforeEach
  void makeOutput() throws Exception {
    output = Files.createDirectory(folder.resolve("output"));
    run = TaskRuns.in(output);
  }

  private void execute(String... command) throws AttemptFailedException {
    Tasks tasks = new Tasks(folder, Connections.NONE, Map.of());
    TaskSpec spec = new TaskSpec.Command(Arrays.asList(command), Duration.ofMinutes(10));
    TaskExecution.run(tasks, spec, run);
  }

  private void shell(String script) throws AttemptFailedException {
    execute("sh", "-c", script);
  }

  private AttemptFailedException failureOf(String script) {
    return catchThrowableOfType(AttemptFailedException.class, () -> shell(script));
  }

  @Test
  void fillsEachArgumentAndUsesNoShell() throws Exception {
    execute(
        "printf",
        "%s\\n",
        "{partition} $HOME;*",
        "{start}..{end}",
        "{slice.unit}",
        "{param.dry-run}",
        "{\"json\": {}}",
        "{start:yyyy/MM/dd}");

    assertThat(run.log().text())
        .isEqualTo(
            """
            2026-09-05 $HOME;*
            2026-09-04T21:00:00Z..2026-09-05T21:00:00Z
            kadıköy/1
            yes
            {"json": {}}
            2026/09/05""");
  }

  @Test
  void refusesAPlaceholderThatHasNoValue() {
    assertThatThrownBy(() -> execute("echo", "{slice.country}"))
        .hasMessageContaining("'{slice.country}' has the placeholder {slice.country}");
  }

  @Test
  void setsTheVariablesOfTheContract() throws Exception {
    shell("env | grep ^TIDEMARK_ | sort; pwd; echo \"$TIDEMARK_OUTPUT\" > {output}/where");

    // The build has some of its own, where the tests find the programs that they need.
    assertThat(
            String.valueOf(run.log().text())
                .lines()
                .filter(line -> !System.getenv().containsKey(line.replaceAll("=.*", ""))))
        .containsExactly(
            "TIDEMARK_ATTEMPT=2",
            "TIDEMARK_END=2026-09-05T21:00:00Z",
            "TIDEMARK_INPUT_VERSION=v7",
            "TIDEMARK_OUTPUT=" + output,
            "TIDEMARK_PARAM_DRY_RUN=yes",
            "TIDEMARK_PARTITION=2026-09-05",
            "TIDEMARK_PIPELINE=sales",
            "TIDEMARK_SLICE_UNIT=kadıköy/1",
            "TIDEMARK_START=2026-09-04T21:00:00Z",
            folder.toRealPath().toString());
    assertThat(output.resolve("where")).hasContent(output.toString());
  }

  @Test
  void runsTheCommandAsADirectChildWithNothingToRead() throws Exception {
    shell("echo parent $PPID; wc -c");

    assertThat(run.log().text()).isEqualTo("parent " + ProcessHandle.current().pid() + "\n0");
  }

  @Test
  void findsAProgramInItsOwnFolder() throws Exception {
    Path script = Files.writeString(folder.resolve("run.sh"), "#!/bin/sh\necho here\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    execute("./run.sh");

    assertThat(run.log().text()).isEqualTo("here");
  }

  @Test
  void countsAnExitCodeAsAFailureThatQuotesTheLastLines() {
    AttemptFailedException failure = failureOf("echo first; echo 'no such table' >&2; exit 3");

    assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
    assertThat(failure.error()).isEqualTo("exit code 3: first\nno such table");
  }

  @Test
  void parksBadDataAndWaitsForWhatIsNotReady() {
    assertThat(failureOf("exit 65").kind()).isEqualTo(FailureKind.BAD_DATA);
    assertThat(failureOf("exit 75").kind()).isEqualTo(FailureKind.NOT_READY);
    assertThat(failureOf("exit 75").error()).contains("75", "it printed nothing");
  }

  @Test
  void saysWhichSignalEndedIt() {
    assertThat(failureOf("kill -9 $$").error()).startsWith("ended by signal 9");
    assertThat(failureOf("kill -TERM $$").error()).startsWith("ended by signal 15");
  }

  @Test
  void saysThatAProgramIsMissing() {
    AttemptFailedException failure =
        catchThrowableOfType(
            AttemptFailedException.class, () -> execute("no-such-program-of-tidemark", "x"));

    assertThat(failure.kind()).isEqualTo(FailureKind.ERROR);
    assertThat(failure.error()).contains("no-such-program-of-tidemark", "No such file");
  }

  @Test
  void keepsTheLastLinesOfATaskThatPrintsMegabytes() throws Exception {
    shell(
        "i=0; while [ $i -lt 60000 ]; do echo 'line of forty or so characters number' $i;"
            + " i=$((i+1)); done; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last");

    String text = Optional.ofNullable(run.log().text()).orElse("");
    assertThat(text.length()).isLessThanOrEqualTo(32 * 1024);
    assertThat(text.lines().count()).isLessThanOrEqualTo(200);
    assertThat(text).endsWith("…\nlast").contains("number 59999\n");
  }

  @Test
  void keepsTextThatPostgresCannot() throws Exception {
    shell("printf 'a\\000b\\n'");

    assertThat(run.log().text()).isEqualTo("a\uFFFDb");
  }

  @Test
  void endsAChildThatIsLeftBehind() throws Exception {
    shell("sleep 300 & echo $!");

    long child = Long.parseLong(Optional.ofNullable(run.log().text()).orElse(""));
    assertThat(ProcessHandle.of(child).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void endsTheWholeGroupWhenTheRunIsEnded() throws Exception {
    Path pids = folder.resolve("pids");
    CompletableFuture<AttemptFailedException> failed =
        CompletableFuture.supplyAsync(
            () -> failureOf("(sleep 300 & echo $! >> pids; sleep 300) & echo $$ >> pids; wait"));
    while (!Files.exists(pids) || Files.readAllLines(pids).size() < 2) {
      Thread.onSpinWait();
    }
    List<String> started = Files.readAllLines(pids);

    run.end(TaskRun.End.TIMED_OUT);

    assertThat(failed.get().kind()).isEqualTo(FailureKind.ERROR);
    assertThat(failed.get().error()).isEqualTo("timed out after 10m");
    for (String pid : started) {
      assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void insistsWhereATaskIgnoresTheRequestToEnd() throws Exception {
    Path ready = folder.resolve("ready");
    CompletableFuture<AttemptFailedException> failed =
        CompletableFuture.supplyAsync(
            () -> failureOf("trap '' TERM; touch ready; while :; do sleep 1; done"));
    while (!Files.exists(ready)) {
      Thread.onSpinWait();
    }

    run.end(TaskRun.End.SHUTDOWN);

    assertThat(failed.get().kind()).isEqualTo(FailureKind.RELEASED);
  }
}
