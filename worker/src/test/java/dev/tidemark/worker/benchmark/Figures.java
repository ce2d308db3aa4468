package dev.tidemark.worker.benchmark;

import java.util.List;
import java.util.Locale;

/** What is printed, and the statistics of it. */
final class Figures {
  private Figures() {}

  static void figure(String name, String format, Object... values) {
    System.out.printf(Locale.ROOT, "%-52s %s%n", name, String.format(Locale.ROOT, format, values));
  }

  /** What is not a figure. */
  static void note(String line) {
    System.err.println(line);
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
