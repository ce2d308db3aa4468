package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.activities.ledger.database.LedgerSchema;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.ConfigurationLoader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documentation says is so: each of its blocks is tried. */
class DocsTest {
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** What else may stand in a shell block: the beginnings of lines that are not tidemark's. */
  private static final Set<String> OTHER_PROGRAMS =
      Set.of(
          "mvn verify",
          "cd my-pipelines",
          "curl ",
          "cd deploy/compose",
          "cp .env.example .env",
          "deploy/benchmark",
          "docker build -f deploy/image/Dockerfile ",
          "docker compose ",
          "helm upgrade --install tidemark deploy/helm/tidemark ",
          "kubectl ",
          "pg_dump ",
          "pg_restore ",
          "export PATH=",
          "temporal operator search-attribute create ",
          "temporal worker deployment set-current-version ",
          "temporal workflow signal-with-start ");

  @TempDir Path folder;

  static List<Page.Block> yaml() {
    return blocks("yaml");
  }

  static List<Page.Block> java() {
    return blocks("java");
  }

  static List<Page.Block> python() {
    return blocks("python").stream().filter(block -> !block.page().equals("any-sdk.md")).toList();
  }

  static List<Page.Block> shell() {
    return blocks("sh").stream()
        .flatMap(
            block ->
                block.text().lines().map(line -> new Page.Block(block.page(), "sh", line.strip())))
        .toList();
  }

  private static List<Page.Block> blocks(String language) {
    return Page.all().stream().flatMap(page -> page.blocks(language).stream()).toList();
  }

  @Test
  void eachBlockIsOfAKindThatIsTriedHereOrADrawing() {
    assertThat(Page.all().stream().flatMap(page -> page.blocks().stream()))
        .extracting(Page.Block::language)
        .isSubsetOf("yaml", "sh", "sql", "java", "python", "")
        .contains("yaml", "sh", "sql", "java", "python");
  }

  @ParameterizedTest
  @MethodSource("yaml")
  void aConfigurationIsValid(Page.Block block) throws Exception {
    Path file = Files.writeString(folder.resolve("tidemark.yaml"), block.text());

    Configuration configuration =
        new ConfigurationLoader(
                Map.of("TEMPORAL_CONFIG_FILE", folder.resolve("none.toml").toString()))
            .load(file);

    assertThat(configuration.pipelines()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("shell")
  void aCommandIsOneThatThereIs(Page.Block line) {
    List<String> words = words(line.text());
    if (!words.get(0).equals("tidemark") && !words.get(0).equals("./tidemark")) {
      assertThat(OTHER_PROGRAMS).anyMatch(line.text()::startsWith);
      return;
    }
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());

    assertThatCode(
            () ->
                Assembly.commandLine(nowhere, nowhere, false, Clock.systemUTC(), Map.of())
                    .parseArgs(words.subList(1, words.size()).toArray(String[]::new)))
        .doesNotThrowAnyException();
  }

  @Test
  void queriesWorkOnTheLedger() throws Exception {
    List<Page.Block> queries = blocks("sql");
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      LedgerSchema.migrate(server.getPostgresDatabase());
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        for (Page.Block query : queries) {
          assertThatCode(() -> statement.execute(query.text()))
              .as(query.toString())
              .doesNotThrowAnyException();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("java")
  void javaCompiles(Page.Block block) throws IOException {
    assertThat(compiled()).contains(SPACE.matcher(block.text()).replaceAll(""));
  }

  /** The reader of ten lines reads a complete partition, and nothing where the marker is not. */
  @ParameterizedTest
  @MethodSource("python")
  void pythonReadsAPartition(Page.Block block) throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("read.py"),
            block.text() + "\nimport sys\nprint(read(sys.argv[1]), read(sys.argv[1] + '/none'))\n");
    Files.writeString(folder.resolve("part-00000-7.csv"), "one");
    Files.writeString(
        folder.resolve("_manifest.json"),
        "{\"token\": 7, \"files\": [{\"name\": \"part-00000-7.csv\"}]}");

    Process process =
        new ProcessBuilder("python3", script.toString(), folder.toString())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines("[b'one'] None");
    assertThat(process.waitFor()).isZero();
  }

  /** AnySdkTest runs it. */
  @Test
  void theWorkerInPythonIsTheExample() throws IOException {
    assertThat(blocks("python"))
        .filteredOn(block -> block.page().equals("any-sdk.md"))
        .extracting(Page.Block::text)
        .containsExactly(
            Files.readString(Trial.home().resolve("deploy/examples/python/worker.py")));
  }

  @Test
  void linksLeadToPagesThatThereAre() {
    assertThat(Page.all().stream().flatMap(page -> page.links().stream()))
        .isNotEmpty()
        .allSatisfy(target -> assertThat(target).exists());
  }

  // A9, A49: what is accepted by policy is not called complete, nor what is rerunnable exactly once
  @Test
  void theGuaranteesSayWhatDoesNotHold() throws IOException {
    assertThat(Path.of("../docs/guarantees.md"))
        .content()
        .contains("**Closed is not complete.**", "*by policy*", "**Not exactly once.**");
  }

  private static String compiled() throws IOException {
    try (Stream<Path> sources =
        Files.list(Path.of("src/test/java/dev/tidemark/starter/documentation"))) {
      List<String> texts = new ArrayList<>();
      for (Path source : sources.toList()) {
        texts.add(SPACE.matcher(Files.readString(source)).replaceAll(""));
      }
      return texts.stream().collect(Collectors.joining("\n"));
    }
  }

  /** As a shell splits it, as far as the documentation needs that. */
  private static List<String> words(String line) {
    return WORD.matcher(line)
        .results()
        .map(
            word ->
                Stream.of(1, 2, 3)
                    .map(word::group)
                    .filter(text -> text != null)
                    .findFirst()
                    .orElseThrow())
        .toList();
  }
}
