package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with the file as a whole, and with what is not a pipeline. */
class BadFileTest {
  private static final String GOOD =
      """
      pipelines:
        - name: a
          partitions: {every: day, start: 2026-01-01}
          task: {command: [sh]}
      """;

  @TempDir Path folder;
  private ConfigurationFile file = ConfigurationFile.in(Path.of("."));

  @BeforeEach
  void setUp() {
    file = ConfigurationFile.in(folder);
  }

  @Test
  void everyProblemIsReportedAtOnceInTheOrderOfTheFile() throws IOException {
    List<Problem> problems =
        file.problems(
            """
            ledgr: {url: x}
            pipelines:
              - name: Bad Name
                partitions: {every: day, zone: Nowhere, start: 2026-01-01}
                account: unit
                limits: {parallel: -1, partitions: 0}
                task: {command: [sh, "{output}"]}
              - name: b
                lookbak: 1
            """);

    assertThat(problems)
        .extracting(Problem::line, Problem::key)
        .containsExactly(
            tuple(1, "ledgr"),
            tuple(3, "pipelines[0].name"),
            tuple(4, "pipelines[0].partitions.zone"),
            tuple(5, "pipelines[0].account"),
            tuple(6, "pipelines[0].limits.parallel"),
            tuple(6, "pipelines[0].limits.partitions"),
            tuple(7, "pipelines[0].task.command[1]"),
            tuple(8, "pipelines[1].partitions"),
            tuple(8, "pipelines[1].task"),
            tuple(9, "pipelines[1].lookbak"));
  }

  @Test
  void aProblemPrintsItsFileLineAndKey() throws IOException {
    assertThat(file.problems(GOOD + "\nledgr: {}\n"))
        .singleElement()
        .hasToString("tidemark.yaml:6: ledgr: is not a known key; did you mean 'ledger'?");
  }

  @Test
  void aPipelineOfTheSameNameIsRefused() throws IOException {
    assertThat(file.problems(GOOD + GOOD.substring(GOOD.indexOf("  - name"))))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(5);
              assertThat(problem.key()).isEqualTo("pipelines[1].name");
              assertThat(problem.message()).contains("'a'", "pipelines[0]", "rename");
            });
  }

  @Test
  void twoPipelinesDoNotWriteTheSameFiles() throws IOException {
    String output = "    output: {location: out, layout: file, path: \"{partition}.json\"}\n";
    String other = GOOD.substring(GOOD.indexOf("  - name")).replace("name: a", "name: b");

    assertThat(file.problems(GOOD + output + other + output))
        .singleElement()
        .asString()
        .contains(":9: pipelines[1].output.path", "pipeline 'a' writes too");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefusedWithBothLines() throws IOException {
    assertThat(file.problems(GOOD + "    task: {command: [ls]}\n"))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(5);
              assertThat(problem.key()).isEqualTo("pipelines[0].task");
              assertThat(problem.message()).contains("twice", "line 4");
            });
  }

  @Test
  void aFileThatIsNotThereNamesTheWayOut() {
    assertThat(file.problems())
        .singleElement()
        .hasToString(
            "tidemark.yaml: does not exist; make one with 'tidemark init', or name another with"
                + " --config");
  }

  @Test
  void aFolderIsRefused() throws IOException {
    Files.createDirectory(file.file());
    assertThat(file.problems()).singleElement().asString().contains("is not a file");
  }

  @Test
  void anEmptyFileIsRefused() throws IOException {
    assertThat(file.problems("# nothing\n")).singleElement().asString().contains("is empty");
  }

  @Test
  void aFileThatIsAListIsRefused() throws IOException {
    assertThat(file.problems("- a\n")).singleElement().asString().contains("pipelines:");
  }

  @Test
  void aFileWithoutPipelinesIsRefused() throws IOException {
    assertThat(file.problems("temporal: {namespace: n}\n"))
        .singleElement()
        .asString()
        .contains("pipelines: names no pipeline");
    assertThat(file.problems("pipelines: []\n"))
        .singleElement()
        .hasFieldOrPropertyWithValue("line", 1);
    assertThat(file.problems("pipelines: {a: b}\n"))
        .singleElement()
        .asString()
        .contains("must be a list");
  }

  @Test
  void aTabIsRefusedAtItsLine() throws IOException {
    assertThat(file.problems("pipelines:\n\t- name: a\n"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isEqualTo(2))
        .asString()
        .contains("tab", "spaces");
  }

  @Test
  void whatIsNotYamlIsRefusedAtItsLine() throws IOException {
    assertThat(file.problems("pipelines:\n  - name: [a\n  - name: b\n"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isBetween(2, 3))
        .asString()
        .contains("is not YAML");
  }

  @Test
  void aSecondDocumentIsRefused() throws IOException {
    assertThat(file.problems(GOOD + "---\n" + GOOD))
        .singleElement()
        .asString()
        .contains("document");
  }

  @Test
  void aControlCharacterIsRefusedAtItsLine() throws IOException {
    assertThat(file.problems(GOOD + "x: \u0001\n"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isEqualTo(5));
  }

  @Test
  void textThatIsNotUtf8IsRefused() throws IOException {
    Files.write(file.file(), "pipelines: [ö]".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(file.problems()).singleElement().asString().contains("UTF-8");
  }

  @Test
  void anEndlessAnchorIsRefusedAndNotFollowed() throws IOException {
    assertThat(file.problems("pipelines: &a\n  - *a\n"))
        .isNotEmpty()
        .allSatisfy(problem -> assertThat(problem.key()).startsWith("pipelines[0]"));
  }

  @Test
  void connectionsAreCheckedOnceAndNotWhereTheyAreUsed() throws IOException {
    List<Problem> problems =
        file.problems(
            """
            connections:
              both: {jdbc: "jdbc:postgresql://db/x", s3: {bucket: bb}}
              url: {jdbc: "postgres://db/x"}
              driver: {jdbc: "jdbc:nosuch:x"}
              other: {jdbc: "jdbc:h2:mem:x"}
              lake: {s3: {bucket: lake, region: r}}
              none: {}
              keys: {s3: {bucket: "s3://b/x", endpoint: "localhost:9000", access-key: a}, password: x}
              both-ways: {s3: {bucket: exports, access-key: a, secret-key: b, profile: c, regoin: x}}
            """
                + GOOD
                + """
                    inputs: [{sql: select 1, connection: url}, {sql: select 1, connection: lake},
                      {sql: select 1, connection: other}]
                """);

    assertThat(problems)
        .extracting(Problem::line, Problem::key)
        .containsExactly(
            tuple(2, "connections.both"),
            tuple(3, "connections.url.jdbc"),
            tuple(4, "connections.driver.jdbc"),
            tuple(7, "connections.none"),
            tuple(8, "connections.keys.s3.secret-key"),
            tuple(8, "connections.keys.s3.bucket"),
            tuple(8, "connections.keys.s3.endpoint"),
            tuple(8, "connections.keys.password"),
            tuple(9, "connections.both-ways.s3.profile"),
            tuple(9, "connections.both-ways.s3.regoin"),
            tuple(14, "pipelines[0].inputs[1].connection"),
            tuple(15, "pipelines[0].inputs[2].connection"));
    assertThat(problems.get(2).message()).contains("has no driver here");
    assertThat(problems.get(5).message()).contains("the name of a bucket");
    assertThat(problems.get(10).message()).contains("object store", "needs a database");
    assertThat(problems.get(11).message()).contains("not a PostgreSQL", "exports");
  }

  @Test
  void servicesAreChecked() throws IOException {
    assertThat(
            file.problems(
                """
                temporal: {address: localhost, adress: x}
                ledger: {username: u}
                page: {port: 70000, tokens: {vew: x}}
                """
                    + GOOD))
        .extracting(Problem::line, Problem::key)
        .containsExactly(
            tuple(1, "temporal.address"),
            tuple(1, "temporal.adress"),
            tuple(2, "ledger.url"),
            tuple(3, "page.port"),
            tuple(3, "page.tokens.vew"));
  }

  // issue 7, access
  @Test
  void aPageThatOthersReachMustSayWhoMayComeIn() throws IOException {
    assertThat(
            file.problems(
                """
                page:
                  address: 0.0.0.0
                """
                    + GOOD))
        .extracting(Problem::line, Problem::key)
        .containsExactly(tuple(2, "page.address"));
    assertThat(
            file.problems(
                """
                page:
                  address: 0.0.0.0
                  tokens: {view: short, operate-file: none}
                  access: [{who: alice, role: admin}, {who: bob, role: view}]
                  identity: {header: X-User}
                """
                    + GOOD))
        .extracting(Problem::line, Problem::key)
        .containsExactlyInAnyOrder(
            tuple(3, "page.tokens.view"),
            tuple(3, "page.tokens.operate-file"),
            tuple(4, "page.access[0].role"),
            tuple(5, "page.identity.from"),
            tuple(4, "page.access"));
  }

  // Access that names no pipeline must not be access to every one
  @ParameterizedTest
  @ValueSource(strings = {"", "~", "[]"})
  void accessToNoPipelineIsRefused(String pipelines) throws IOException {
    assertThat(
            file.problems(
                """
                page:
                  access:
                    - who: sales
                      token: 0123456789abcdef
                      role: view
                      pipelines: %s
                """
                        .formatted(pipelines)
                    + GOOD))
        .extracting(Problem::line, Problem::key)
        .containsExactly(tuple(6, "page.access[0].pipelines"));
  }

  @Test
  void channelsAreChecked() throws IOException {
    assertThat(
            file.problems(
                """
                notify:
                  a: {webhook: "ftp://example.com"}
                  b: {command: [], log: warn}
                  c: {command: []}
                  d: {log: loud}
                  e: {webhook: "https://example.com", timeout: 2m}
                  f: {mail: me}
                """
                    + GOOD))
        .extracting(Problem::line, Problem::key)
        .containsExactly(
            tuple(2, "notify.a.webhook"),
            tuple(3, "notify.b"),
            tuple(4, "notify.c.command"),
            tuple(5, "notify.d.log"),
            tuple(6, "notify.e.timeout"),
            tuple(7, "notify.f"),
            tuple(7, "notify.f.mail"));
  }

  @Test
  void aSecretOfTheEnvironmentIsNotPrinted() throws IOException {
    ConfigurationFile secret =
        new ConfigurationFile(file.file(), Map.of("URL", "mysql://u:hunter2@db"));

    assertThat(secret.problems("ledger: {url: \"${URL}\"}\n" + GOOD))
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.message()).contains("${URL}").doesNotContain("hunter2"));
  }
}
