package dev.tidemark.starter.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Generates {@code docs/coverage.md} from the comments above the tests, and fails where the page
 * differs: {@code mvn test -pl starter -am -Dtest=CoverageTest -Dtidemark.coverage=write} writes
 * it.
 */
class CoverageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path PAGE = ROOT.resolve("docs/coverage.md");

  private static final String HEAD =
      """
      # Coverage

      Every rule that Tidemark is to follow, and the tests that name it. The rules come from the documents that asked for Tidemark (A: restart-resilient
      backfill, B: warehouse export, C: late data, D: the object index; `-g` are gaps in them), from the weak points of a public implementation of C (W),
      and from what went wrong for users of systems like this (c-). Generated from the comments above the tests by `CoverageTest`; do not edit.

      """;

  private final Map<String, String> rules = read("rules.tsv");
  private final Map<String, String> reasons = read("not-covered.tsv");

  @Test
  void saysOfEveryRuleWhichTestsCoverItOrWhyNoneDoes() throws IOException {
    String page = page(TestIndex.of(ROOT));
    if ("write".equals(System.getProperty("tidemark.coverage"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/coverage.md is written by -Dtidemark.coverage=write")
        .isEqualTo(page);
  }

  @Test
  void knowsEveryRuleThatATestNames() throws IOException {
    assertThat(TestIndex.of(ROOT).rules()).isSubsetOf(rules.keySet());
  }

  private String page(TestIndex index) {
    StringBuilder covered = new StringBuilder("| rule | says | tests |\n|---|---|---|\n");
    StringBuilder open =
        new StringBuilder("| rule | says | why there is no test |\n|---|---|---|\n");
    int count = 0;
    for (Map.Entry<String, String> rule : rules.entrySet()) {
      Collection<String> tests = index.of(rule.getKey());
      String says = "| " + rule.getKey() + " | " + rule.getValue() + " | ";
      if (tests.isEmpty()) {
        open.append(says).append(reason(rule.getKey())).append(" |\n");
      } else {
        covered.append(says).append(String.join("<br>", tests)).append(" |\n");
        count++;
      }
    }
    return HEAD
        + count
        + " of "
        + rules.size()
        + " rules have a test.\n\n## Not covered\n\n"
        + open
        + "\n## Covered\n\n"
        + covered;
  }

  /** By the rule, or by its letter. */
  private String reason(String rule) {
    String letter = rule.replaceAll("\\d.*", "");
    String reason = reasons.getOrDefault(rule, reasons.get(letter));
    assertThat(reason).as("%s has no test, and not-covered.tsv does not say why", rule).isNotNull();
    return String.valueOf(reason);
  }

  private static Map<String, String> read(String resource) {
    try (InputStream in = CoverageTest.class.getResourceAsStream(resource)) {
      Map<String, String> lines = new LinkedHashMap<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t", 2))
          .forEach(pair -> lines.put(pair[0], pair[1]));
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
