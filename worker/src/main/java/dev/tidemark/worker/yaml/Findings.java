package dev.tidemark.worker.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** What was found wrong while a file is read; reading goes on. */
public final class Findings {
  private final List<Finding> found = new ArrayList<>();

  /** Something about the file as a whole. */
  public void add(String message) {
    found.add(new Finding(0, 0, "", message));
  }

  void add(Node at, String key, String message) {
    Mark mark = at.getStartMark();
    add(mark.getLine() + 1, mark.getColumn() + 1, key, message);
  }

  void add(int line, int column, String key, String message) {
    found.add(new Finding(line, column, key, message));
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** All of them, in the file's order, each once. */
  public List<Finding> sorted() {
    return found.stream()
        .distinct()
        .sorted(Comparator.comparingInt(Finding::line).thenComparingInt(Finding::column))
        .toList();
  }
}
