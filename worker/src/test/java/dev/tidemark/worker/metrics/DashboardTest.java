package dev.tidemark.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the rules ask for metrics that there are, in Prometheus' language. */
class DashboardTest {
  private static final Path DASHBOARD = Path.of("../deploy/grafana/tidemark.json");
  private static final Pattern METRIC = Pattern.compile("tidemark_[a-z_]+(?=[{)\\[\\s])");
  private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(tidemark_[a-z_]+)`");

  @TempDir Path folder;

  @Test
  void asksOnlyForMetricsThatThereAre() throws Exception {
    Set<String> documented = found(DOCUMENTED, Files.readString(Path.of("../docs/metrics.md")));
    Set<String> asked = found(METRIC, String.join("\n", expressions()));
    asked.addAll(found(METRIC, Files.readString(Promtool.RULES.resolve("tidemark.rules.yml"))));
    assertThat(asked).hasSizeGreaterThan(20);
    assertThat(asked)
        .allSatisfy(
            metric -> assertThat(documented).contains(metric.replaceFirst("_(sum|count)$", "")));
  }

  @Test
  void everyPanelsQueryIsOneThatPrometheusUnderstands() throws Exception {
    StringBuilder rules = new StringBuilder("groups: [{name: panels, rules: [\n");
    List<String> expressions = expressions();
    for (int i = 0; i < expressions.size(); i++) {
      String expression = expressions.get(i).replace("$__rate_interval", "5m");
      rules.append("  {record: 'panel:%d', expr: '%s'},\n".formatted(i, expression));
    }
    Files.writeString(folder.resolve("panels.yml"), rules.append("]}]\n"));
    assertThat(Promtool.run(folder, "check", "rules", "panels.yml"))
        .startsWith("0\n")
        .contains(expressions.size() + " rules found");
  }

  private static List<String> expressions() throws Exception {
    JsonNode panels = new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels");
    return panels.findValuesAsText("expr");
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      names.add(matcher.groupCount() == 0 ? matcher.group() : matcher.group(1));
    }
    return names;
  }
}
