package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever ledger and store disagree about, the outputs win: through the command. */
class OutputsAreTheTruthTest {
  private static final String PIPELINE =
      """
        - name: %1$s
          partitions: {every: day, start: 2026-07-01, end: 2026-08-01}
          slices: [{kind: [%2$s]}]
          task: {command: ["sh", "-c", "echo {slice.kind} {partition} > {output}/x.txt; echo {partition} >> %1$s-{slice.kind}.log"]}
          output: {location: ./out, layout: hive}
      """;

  private static final AtomicInteger PIPELINES = new AtomicInteger();

  /** One for all: making a PostgreSQL's data takes longer than a test. */
  @TempDir static Path folder;

  private final String pipeline = "days-" + PIPELINES.incrementAndGet();

  private Trial with(String kinds) {
    Trial trial = new Trial(folder);
    configure(trial, kinds);
    return trial;
  }

  private void configure(Trial trial, String kinds) {
    trial.write("tidemark.yaml", "pipelines:\n" + PIPELINE.formatted(pipeline, kinds));
  }

  private Trial.Ran sweep(Trial trial, String day) {
    Trial.Ran ran = trial.json("sweep", pipeline, "--now", day + "T00:00:00Z", "--timeout", "3m");
    assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
    return ran;
  }

  private int completed(Trial trial, String day) {
    return sweep(trial, day).json().path("completed").asInt();
  }

  private Path partition(String kind, String day) {
    return folder.resolve("out/" + pipeline + "/kind=" + kind + "/dt=" + day);
  }

  /** The days that the task ran for, in order. */
  private List<String> ran(String kind) throws IOException {
    Path log = folder.resolve(pipeline + "-" + kind + ".log");
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> below = Files.walk(tree)) {
      for (Path path : below.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  // A14.1: the output is there, and the ledger says that it was never made.
  @Test
  void anOutputThatTheLedgerDoesNotKnowIsNotMadeAgain() throws Exception {
    Trial trial = with("rain");
    assertThat(completed(trial, "2026-07-04")).isEqualTo(3);
    delete(folder.resolve(".tidemark"));

    assertThat(sweep(trial, "2026-07-04").json().path("planned").asInt()).isZero();

    assertThat(ran("rain")).hasSize(3);
    assertThat(trial.json("partitions", pipeline).json().path("partitions"))
        .hasSize(3)
        .allMatch(row -> row.path("state").asText().equals("completed"));
  }

  // A14.2: the ledger says that it is made, and half of it is there.
  @Test
  void anOutputThatIsNotWholeIsMadeAgain() throws Exception {
    Trial trial = with("rain");
    completed(trial, "2026-07-04");
    Path day = partition("rain", "2026-07-02");
    String part = names(day).stream().filter(name -> name.startsWith("part-")).findFirst().get();
    Files.writeString(day.resolve(part), "ra");

    assertThat(completed(trial, "2026-07-04")).isEqualTo(1);

    assertThat(ran("rain")).hasSize(4).endsWith("2026-07-02");
    assertThat(names(day)).hasSize(2);
    assertThat(completed(trial, "2026-07-04")).isZero();
  }

  // A14.3, A20: a new category's history is due by itself, and nothing else is.
  @Test
  void theHistoryOfANewCategoryIsMade() throws Exception {
    Trial trial = with("rain");
    completed(trial, "2026-07-04");
    configure(trial, "rain, wind");

    assertThat(completed(trial, "2026-07-04")).isEqualTo(3);

    assertThat(ran("rain")).hasSize(3);
    // Newest first (A23).
    assertThat(ran("wind")).containsExactlyInAnyOrder("2026-07-03", "2026-07-02", "2026-07-01");
  }

  // A14.4: an output that somebody deleted is seen as missing, with its reason, and made again.
  @Test
  void aDeletedOutputIsMadeAgain() throws Exception {
    Trial trial = with("rain");
    completed(trial, "2026-07-04");
    delete(partition("rain", "2026-07-02"));
    Trial.Ran found = trial.json("reconcile", pipeline);
    assertThat(found.exit()).as(found.out()).isZero();
    assertThat(found.json().path("lost").asInt()).isEqualTo(1);
    Trial.Ran explained =
        trial.json(
            "explain",
            pipeline,
            "2026-07-02",
            "--slice",
            "kind=rain",
            "--now",
            "2026-07-04T00:00:00Z");
    assertThat(explained.json().at("/reasons/0/code").asText()).isEqualTo("lost_output");

    assertThat(completed(trial, "2026-07-04")).isEqualTo(1);

    assertThat(partition("rain", "2026-07-02").resolve("_manifest.json")).exists();
    assertThat(ran("rain")).hasSize(4);
  }

  // A14.5, A55: what the configuration does not expect any more is left alone, what it newly
  // expects is made.
  @Test
  void aChangedConfigurationIsWorkedOnByItsOwnExpectedSet() throws Exception {
    Trial trial = with("rain");
    completed(trial, "2026-07-04");
    configure(trial, "wind");
    delete(partition("rain", "2026-07-02"));

    assertThat(completed(trial, "2026-07-04")).isEqualTo(3);

    assertThat(ran("rain")).as("nobody expects it any more").hasSize(3);
    assertThat(names(folder.resolve("out/" + pipeline))).contains("kind=rain", "kind=wind");
    configure(trial, "rain, wind");
    assertThat(completed(trial, "2026-07-04")).as("expected again, and one is gone").isEqualTo(1);
  }

  // A15, design "the ledger can be rebuilt from the outputs' manifests"
  @Test
  void aLedgerThatIsGoneIsRebuiltAndTheNextSweepRunsNothing() throws Exception {
    Trial trial = with("rain, wind");
    assertThat(completed(trial, "2026-07-21")).isEqualTo(40);
    delete(folder.resolve(".tidemark"));

    Trial.Ran rebuilt = trial.json("rebuild-ledger", pipeline);

    assertThat(rebuilt.exit()).as(rebuilt.out() + rebuilt.err()).isZero();
    assertThat(rebuilt.json().path("adopted").asInt()).isEqualTo(40);
    assertThat(rebuilt.err()).contains("excuses, pauses, requests and failures");
    assertThat(sweep(trial, "2026-07-21").json().path("planned").asInt()).isZero();
    assertThat(trial.json("rebuild-ledger", pipeline).exit()).isEqualTo(4);
    // Tokens grow for ever: what is made now replaces what the old ledger made.
    Trial.Ran again =
        trial.json(
            "backfill",
            pipeline,
            "--from",
            "2026-07-05",
            "--to",
            "2026-07-05",
            "--mode",
            "all",
            "--now",
            "2026-07-21T00:00:00Z",
            "--wait");
    assertThat(again.exit()).as(again.out() + again.err()).isZero();
    assertThat(names(partition("rain", "2026-07-05"))).hasSize(2);
  }

  // An unmounted volume looks like the loss of everything, and is not.
  @Test
  void theLossOfEverythingIsNotBelievedUntilItIsConfirmed() throws Exception {
    Trial trial = with("rain");
    assertThat(completed(trial, "2026-07-16")).isEqualTo(15);
    Path out = folder.resolve("out");
    Files.move(out, folder.resolve("elsewhere"));

    Trial.Ran swept = sweep(trial, "2026-07-16");
    Trial.Ran status = trial.json("status", pipeline);
    Trial.Ran plan = trial.json("plan", pipeline, "--now", "2026-07-16T00:00:00Z");
    Trial.Ran refused = trial.json("reconcile", pipeline);

    assertThat(swept.json().path("planned").asInt()).isZero();
    assertThat(swept.err())
        .contains("15 outputs are missing", "reconcile " + pipeline + " --confirm");
    assertThat(status.json().at("/pipelines/0/outputs_missing").asInt()).isEqualTo(15);
    assertThat(trial.run("status", pipeline).out()).contains("outputs missing", "15");
    assertThat(plan.err()).contains("15 outputs are missing");
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.json().at("/error/message").asText()).contains("15 of the 15", "--confirm");

    Files.move(folder.resolve("elsewhere"), out);
    sweep(trial, "2026-07-16");
    assertThat(trial.json("status", pipeline).json().at("/pipelines/0").has("outputs_missing"))
        .isFalse();
    assertThat(ran("rain")).hasSize(15);

    delete(out);
    assertThat(trial.json("reconcile", pipeline, "--confirm").json().path("lost").asInt())
        .isEqualTo(15);
    assertThat(completed(trial, "2026-07-16")).isEqualTo(15);
  }

  // c-J, "adopt": outputs of another system, whatever their names
  @Test
  void outputsMadeElsewhereAreAdopted() throws Exception {
    Trial trial = with("rain");
    Path foreign = partition("rain", "2026-07-01");
    Files.createDirectories(foreign);
    Files.writeString(foreign.resolve("part-0.csv"), "one");
    Files.writeString(foreign.resolve("part-1.csv"), "two");
    Files.writeString(foreign.resolve("_SUCCESS"), "");

    Trial.Ran adopted = trial.json("adopt", pipeline, "2026-07-01");
    Trial.Ran nothing = trial.json("adopt", pipeline, "2026-07-02");
    Trial.Ran read = trial.json("read", pipeline, "2026-07-01", "--slice", "kind=rain");

    assertThat(adopted.exit()).as(adopted.out() + adopted.err()).isZero();
    assertThat(nothing.exit()).isEqualTo(2);
    assertThat(nothing.json().at("/error/message").asText()).contains("nothing to adopt");
    assertThat(trial.json("adopt", pipeline, "2026-08-01").exit()).isEqualTo(2);
    assertThat(read.json().path("files")).hasSize(2);
    assertThat(completed(trial, "2026-07-04")).as("the two others").isEqualTo(2);
    assertThat(ran("rain")).doesNotContain("2026-07-01");
    // To replace is literally true, whoever made what is replaced (B19).
    trial.json(
        "backfill",
        pipeline,
        "--from",
        "2026-07-01",
        "--to",
        "2026-07-01",
        "--mode",
        "all",
        "--now",
        "2026-07-04T00:00:00Z",
        "--wait");
    assertThat(names(foreign)).hasSize(3).contains("_SUCCESS", "_manifest.json");
  }

  // B15: the reader's cheap test
  @Test
  void aPartitionIsReadByItsMarker() throws Exception {
    Trial trial = with("rain");

    Trial.Ran absent = trial.json("read", pipeline, "2026-07-01", "--slice", "kind=rain");
    completed(trial, "2026-07-02");
    Trial.Ran there =
        trial.run("read", pipeline, "2026-07-01", "--slice", "kind=rain", "--wait", "1s");

    assertThat(absent.exit()).isEqualTo(1);
    assertThat(there.exit()).isZero();
    assertThat(there.out().strip().lines())
        .singleElement()
        .asString()
        .startsWith(partition("rain", "2026-07-01") + "/part-00000-");
    assertThat(content(there.out().strip())).isEqualTo("rain 2026-07-01\n");
  }

  @Test
  void aMarkerThatIsNotThePartitionsOwnIsNotReadForOne() throws Exception {
    Trial trial = with("rain");
    completed(trial, "2026-07-04");
    Path marker = partition("rain", "2026-07-01").resolve("_manifest.json");
    Files.writeString(marker, "null");
    Files.copy(
        partition("rain", "2026-07-03").resolve("_manifest.json"),
        partition("rain", "2026-07-02").resolve("_manifest.json"),
        StandardCopyOption.REPLACE_EXISTING);

    Trial.Ran garbage = trial.json("read", pipeline, "2026-07-01", "--slice", "kind=rain");
    Trial.Ran another = trial.json("read", pipeline, "2026-07-02", "--slice", "kind=rain");
    Trial.Ran reconciled = trial.json("reconcile", pipeline);

    assertThat(garbage.exit()).isEqualTo(1);
    assertThat(garbage.json().at("/error/message").asText())
        .contains("is not complete", marker + " is no manifest", "reconcile");
    assertThat(another.exit()).isEqualTo(1);
    assertThat(another.json().at("/error/message").asText())
        .contains("is the manifest of another partition");
    assertThat(reconciled.json().path("lost").asInt()).as(reconciled.out()).isEqualTo(2);
  }

  // A53 with --checksums, and what a copy of the task's left behind
  @Test
  void reconcileReadsContentsOnDemandAndRemovesOrphans() throws Exception {
    Trial trial = with("rain");
    completed(trial, "2026-07-04");
    Path day = partition("rain", "2026-07-03");
    String part = names(day).stream().filter(name -> name.startsWith("part-")).findFirst().get();
    Files.writeString(day.resolve(part), "RAIN 2026-07-03\n");
    Files.writeString(day.resolve("part-00007-0.txt"), "a zombie's");

    Trial.Ran sizes = trial.json("reconcile", pipeline);
    Trial.Ran contents = trial.json("reconcile", pipeline, "--checksums");

    assertThat(sizes.json().path("lost").asInt()).isZero();
    assertThat(sizes.json().path("checked").asInt()).isEqualTo(3);
    assertThat(sizes.json().path("orphans_removed").asInt()).isEqualTo(1);
    assertThat(contents.json().path("lost").asInt()).isEqualTo(1);
    assertThat(completed(trial, "2026-07-04")).isEqualTo(1);
    assertThat(content(day.resolve(names(day).get(1)).toString())).isEqualTo("rain 2026-07-03\n");
  }

  private static String content(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
