package dev.tidemark.worker.metrics;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Real scrapes as the input of {@code promtool test rules}: what Prometheus would have stored had
 * each scrape looked like that for some minutes.
 */
final class ScrapedSeries {
  private static final Pattern SAMPLE = Pattern.compile("(tidemark_\\w+|up)(\\{.*})? (\\S+)");

  private final int minutes;
  private final Map<String, List<String>> values = new TreeMap<>();
  private int phases;

  /**
   * @param minutes for which each scrape stays as it is
   */
  ScrapedSeries(int minutes) {
    this.minutes = minutes;
  }

  /** The next minutes, as this scrape shows them; a series that it lacks is absent. */
  void add(String scrape) {
    Map<String, String> now = new LinkedHashMap<>();
    scrape
        .lines()
        .map(SAMPLE::matcher)
        .filter(Matcher::matches)
        .forEach(sample -> now.put(series(sample.group(1), sample.group(2)), sample.group(3)));
    now.keySet().forEach(series -> values.computeIfAbsent(series, unknown -> absent(phases)));
    values.forEach(
        (series, all) ->
            all.add(now.containsKey(series) ? now.get(series) + "x" + (minutes - 1) : gap()));
    phases++;
  }

  private static String series(String name, String labels) {
    String own = labels == null ? "" : labels.substring(1, labels.length() - 1) + ",";
    return name + "{" + own + "job=\"tidemark\",instance=\"w\"}";
  }

  private List<String> absent(int count) {
    List<String> gaps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      gaps.add(gap());
    }
    return gaps;
  }

  private String gap() {
    return "_x" + minutes;
  }

  /** As a test file for these rules, with these {@code promql_expr_test}. */
  String test(Path rules, String expectations) {
    StringBuilder text = new StringBuilder();
    text.append("rule_files: ['").append(rules).append("']\nevaluation_interval: 1m\ntests:\n");
    text.append("  - interval: 1m\n    input_series:\n");
    values.forEach(
        (series, all) ->
            text.append("      - series: '")
                .append(series)
                .append("'\n        values: ")
                .append(String.join(" ", all))
                .append('\n'));
    return text.append("    promql_expr_test:\n").append(expectations).toString();
  }
}
