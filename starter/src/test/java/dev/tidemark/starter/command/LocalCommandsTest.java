package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that need no service. */
class LocalCommandsTest {
  @TempDir Path folder;

  @Test
  void initWritesAnExampleThatIsValidAndWhoseTaskWorks() {
    Trial trial = new Trial(folder);

    Trial.Ran init = Trial.runBare("init", folder.toString());

    assertThat(init.exit()).as(init.err()).isZero();
    assertThat(trial.run("validate").exit()).isZero();
    JsonNode tried = trial.json("try", "line-counts", "2026-01-01").json();
    assertThat(tried.path("succeeded").asBoolean()).as(tried.toString()).isTrue();
    assertThat(tried.path("files").get(0).asText()).isEqualTo("lines.txt");
  }

  @Test
  void initOverwritesNothing() {
    Trial trial = Trial.with(folder, "mine");
    List<String> before = trial.files();

    Trial.Ran init = Trial.runBare("init", folder.toString(), "--output", "json");

    assertThat(init.exit()).isEqualTo(4);
    assertThat(init.json().at("/error/code").asText()).isEqualTo("refused");
    assertThat(trial.files()).isEqualTo(before);
  }

  @Test
  void tryRunsTheTaskAndLeavesNothingBehind() {
    Trial trial = Trial.with(folder, Trial.DAYS);
    trial.write("input/2026-07-26.csv", "a\n");
    List<String> before = trial.files();

    Trial.Ran ran = trial.json("try", "days", "2026-07-26");

    assertThat(ran.exit()).as(ran.out()).isZero();
    assertThat(ran.json().path("log").asText()).isEqualTo("did 2026-07-26");
    assertThat(ran.json().path("files").get(0).asText()).isEqualTo("x.csv");
    assertThat(trial.files()).isEqualTo(before);
  }

  @Test
  void aTriedTaskThatFailsExitsWith1() {
    Trial trial =
        Trial.with(
            folder,
            """
            pipelines:
              - name: broken
                partitions: {every: day, start: 2026-07-25}
                task: {command: ["sh", "-c", "echo no such luck; exit 3"]}
                output: {location: ./out, layout: hive}
            """);

    Trial.Ran ran = trial.json("try", "broken", "2026-07-26");

    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.json().path("succeeded").asBoolean()).isFalse();
    assertThat(ran.json().path("error").asText()).contains("exit code 3");
    assertThat(ran.json().path("log").asText()).isEqualTo("no such luck");
  }

  @Test
  void aTaskOfAnotherSdkIsNotTried() {
    Trial trial =
        Trial.with(
            folder,
            """
            pipelines:
              - name: elsewhere
                partitions: {every: day, start: 2026-07-25}
                task: {activity: {type: AddUp, task-queue: python}}
                output: {location: ./out, layout: hive}
            """);

    Trial.Ran ran = trial.json("try", "elsewhere", "2026-07-26");

    assertThat(ran.exit()).isEqualTo(4);
    assertThat(ran.json().path("error").path("message").asText())
        .contains("run by the workers of task queue 'python'");
  }

  @Test
  void tryKeepsTheOutputWhereItIsAskedTo() {
    Trial trial = Trial.with(folder, Trial.DAYS);
    trial.write("input/2026-07-26.csv", "a\n");
    Path kept = folder.resolve("kept");

    int first = trial.run("try", "days", "2026-07-26", "--keep", kept.toString()).exit();
    int second = trial.run("try", "days", "2026-07-26", "--keep", kept.toString()).exit();

    assertThat(first).isZero();
    assertThat(kept.resolve("x.csv")).hasContent("a");
    assertThat(second).as("the folder is not empty any more").isEqualTo(4);
  }

  // B41
  @Test
  void checkConnectionsWritesAndDeletesInTheOutputFolders() {
    Trial trial = Trial.with(folder, Trial.DAYS);

    Trial.Ran ran = trial.json("check-connections");

    assertThat(ran.exit()).as(ran.out()).isZero();
    assertThat(ran.json().path("connections")).hasSize(1);
    assertThat(ran.json().at("/connections/0/ok").asBoolean()).isTrue();
    assertThat(folder.resolve("out")).isEmptyDirectory();
  }

  @Test
  void anOutputFolderThatCannotBeWrittenExitsWith1() {
    Trial trial = Trial.with(folder, Trial.DAYS);
    trial.write("out", "a file where the folder should be");

    Trial.Ran ran = trial.json("check-connections");

    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.json().at("/connections/0/ok").asBoolean()).isFalse();
    assertThat(ran.json().at("/connections/0/detail").asText())
        .endsWith("out is a file where a folder must be; move it away, or correct output.location")
        .doesNotContain("Exception");
    Trial.Ran read = trial.json("read", "days", "2026-08-01");
    assertThat(read.exit()).as(read.out()).isEqualTo(3);
    assertThat(read.out()).contains("file where a folder must be");
  }
}
